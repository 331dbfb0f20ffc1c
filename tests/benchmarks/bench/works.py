"""The works of the bench: what is to be done, on which data, with how many rows."""

from __future__ import annotations

from dataclasses import dataclass

TASKS = {
    "pc": "PC, chi-square .05",
    "pc_nominal": "PC, chi-square .05, nominal degrees of freedom",
    "chow_liu": "Chow-Liu",
    "hill_climb": "hill climbing, BIC",
    "tabu": "tabu search, BIC",
    "ges": "GES, BIC",
    "mmhc": "MMHC",
    "pc_z": "PC, Fisher z .05",
    "hill_climb_g": "hill climbing, Gaussian BIC",
    "ges_g": "GES, Gaussian BIC",
    "exact_g": "dynamic programming, Gaussian BIC",
    "exact": "dynamic programming, BIC",
    "ilp": "integer program, BIC, 3 parents",
    "structural_em": "structural EM, BIC, 10 % missing",
    "queries": "200 queries",
    "sampling": "sampling",
    "fitting": "maximum likelihood",
}
LIMITS = {"ilp": 900, "structural_em": 120}  # CPU seconds for works that take longer than others


@dataclass(frozen=True)
class Work:
    """One row of the table: a task on so many rows of some data, or on the network itself."""

    task: str
    data: str
    n: int = 0

    @property
    def name(self) -> str:
        """How it is called in the table."""
        return f"{TASKS[self.task]}, {self.data}" + (f" x {self.n:,}" if self.n else "")


def works(task: str, **sizes: tuple[int, ...]) -> list[Work]:
    """Works of a task: for each data set (``_50`` means 50 variables) the numbers of rows."""
    names = {key: f"{key[1:]} variables" if key[0] == "_" else key.replace("_", " ") for key in sizes}
    return [Work(task, names[key], n) for key, of_data in sizes.items() for n in of_data]


THOUSANDS = (1_000, 10_000)
MORE = (1_000, 10_000, 100_000)
MILLION = (1_000, 10_000, 100_000, 1_000_000)
QUICK = [
    *works("pc", songs=MILLION, ALARM=MORE, insurance=THOUSANDS, hailfinder=THOUSANDS,
           _20=(10_000,), _50=THOUSANDS, _100=THOUSANDS, _200=THOUSANDS),
    *works("pc_nominal", songs=(10_000,), ALARM=THOUSANDS, insurance=THOUSANDS, _100=(1_000,)),
    *works("chow_liu", songs=MILLION, ALARM=MORE, hailfinder=THOUSANDS,
           _20=(10_000,), _50=THOUSANDS, _100=THOUSANDS, _200=THOUSANDS, _500=THOUSANDS),
    *works("hill_climb", songs=MILLION, ALARM=MORE, _20=(10_000,), _50=THOUSANDS, _100=THOUSANDS, _200=THOUSANDS,
           _500=(1_000,)),
    *works("tabu", ALARM=THOUSANDS, insurance=(10_000,)),
    *works("ges", ASIA=(5_000,), songs=(1_000,), ALARM=THOUSANDS),
    *works("mmhc", ALARM=THOUSANDS, insurance=(10_000,), _100=(5_000,)),
    *works("pc_z", wine=(1_199,), Gaussian_50=(5_000,)),
    *works("hill_climb_g", wine=(1_199,), Gaussian_50=(5_000,)),
    *works("ges_g", wine=(1_199,), Gaussian_50=(5_000,)),
    Work("exact_g", "wine", 1_199), Work("exact", "12 songs", 10_000), Work("exact", "16 songs", 10_000),
    Work("queries", "ALARM"), Work("sampling", "ALARM", 100_000), *works("fitting", ALARM=MORE),
]
MINUTES = [Work("hill_climb", "500 variables", 10_000), Work("structural_em", "ALARM", 1_000),
           *works("ilp", insurance=(20_000,), ALARM=(20_000,), hailfinder=(20_000,))]
LONG = [work for task in TASKS for work in (*QUICK, *MINUTES) if work.task == task]
SHORT = [work for work in QUICK if work.data in ("wine", "12 songs") or (work.data == "songs" and work.n <= 10_000)
         or (work.data == "ALARM" and work.n <= 1_000)]

# The rows that README.md shows; those that take seconds are also measured with as many threads as the machine has.
MAIN = [
    *works("pc", songs=(1_000, 10_000, 1_000_000), ALARM=THOUSANDS, insurance=(10_000,), hailfinder=(1_000,),
           _100=THOUSANDS, _200=(1_000,)),
    *works("pc_nominal", ALARM=THOUSANDS, insurance=(10_000,)),
    *works("chow_liu", songs=(1_000, 1_000_000), ALARM=(1_000,), _100=(1_000,), _500=(10_000,)),
    *works("hill_climb", songs=(10_000, 1_000_000), ALARM=THOUSANDS, _200=(10_000,), _500=THOUSANDS),
    *works("tabu", ALARM=(10_000,)),
    *works("ges", ASIA=(5_000,), ALARM=(1_000,)),
    *works("mmhc", ALARM=(1_000,), insurance=(10_000,), _100=(5_000,)),
    *works("pc_z", wine=(1_199,)), *works("ges_g", wine=(1_199,)), *works("exact_g", wine=(1_199,)),
    Work("exact", "16 songs", 10_000),
    *works("ilp", insurance=(20_000,), ALARM=(20_000,), hailfinder=(20_000,)),
    Work("structural_em", "ALARM", 1_000), Work("queries", "ALARM"), Work("sampling", "ALARM", 100_000),
    Work("fitting", "ALARM", 10_000),
]
THREADS = [work for work in MAIN if work not in MINUTES]
