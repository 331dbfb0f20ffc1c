"""What Zero to JupyterHub's chart (version 4) allows of the values that the instructor's file sets.

Its own schema is in its repository, as values.schema.yaml; here are the keys and types of the parts that are used. A
key that is not listed is an error there, too.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def part(**properties: Schema) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def kind(*names: str) -> Schema:
    return {"type": [*names]}


ANY = {"type": "object", "additionalProperties": True}
TEXT, WHOLE, YES = kind("string", "null"), kind("integer", "null"), kind("boolean")
AMOUNT = part(limit=kind("number", "string", "null"), guarantee=kind("number", "string", "null"))
CHART = part(
    hub=part(config=ANY, concurrentSpawnLimit=WHOLE, extraConfig={**ANY, "additionalProperties": kind("string")}),
    proxy=part(https=part(enabled=kind("boolean", "null"), hosts=kind("array"),
                          letsencrypt=part(contactEmail=TEXT))),
    singleuser=part(
        image={**part(name=kind("string"), tag=kind("string")), "required": ["name", "tag"]}, defaultUrl=TEXT,
        startTimeout=WHOLE, memory=AMOUNT, cpu=part(limit=kind("number", "null"), guarantee=kind("number", "null")),
        storage=part(capacity=TEXT, extraVolumes=kind("array"), extraVolumeMounts=kind("array")),
        initContainers=kind("array"), lifecycleHooks=part(postStart=ANY, preStop=ANY),
        extraEnv=kind("object", "array")),
    cull={**part(enabled=YES, timeout=WHOLE, every=WHOLE), "required": ["enabled"]},
    scheduling=part(userScheduler=part(enabled=YES)),
    prePuller=part(hook=part(enabled=YES), continuous=part(enabled=YES)))
