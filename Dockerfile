# The course in one image: for Binder (repo2docker takes a Dockerfile at the top), for Codespaces (.devcontainer), and
# for grading on macOS and Windows, where there are no Linux namespaces. README.md, "Without an install", shows its use.
#
#     docker build -t bnteach .
#     docker run --rm -p 8888:8888 bnteach          then open the address that it prints

FROM debian:trixie-slim
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates fonts-liberation git make python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

# Binder gives the name and the number of the account.
ARG NB_USER=jovyan
ARG NB_UID=1000
ENV USER=${NB_USER} NB_UID=${NB_UID} HOME=/home/${NB_USER} PATH=/opt/bnteach/bin:${PATH}
RUN useradd --create-home --uid ${NB_UID} ${NB_USER} && install -d -o ${NB_USER} /opt/bnteach ${HOME}/bnteach
USER ${NB_USER}
WORKDIR ${HOME}/bnteach

# First what changes rarely, so that a change of a lesson does not install everything again.
COPY --chown=${NB_UID} constraints.txt ./
RUN python3 -m venv /opt/bnteach && pip install --no-cache-dir -c constraints.txt hatchling jupyterlab nbgrader jupyterhub
COPY --chown=${NB_UID} . ./
RUN pip install --no-cache-dir -c constraints.txt --no-build-isolation -e ".[course,class]"

EXPOSE 8888
CMD ["bnteach", "lab", "--no-browser", "--ip=0.0.0.0", "--port=8888"]
