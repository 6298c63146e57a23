# One image for the coordinator, the workers and the admin CLI: `docker build -t tenure .`

# What runs: no compiler, no package but what the binary is linked with, and curl for health checks.
FROM debian:bookworm-20260824-slim AS runtime
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates curl libbrotli1 libcmark-gfm0.29.0.gfm.6 \
        libcmark-gfm-extensions0.29.0.gfm.6 libcurl4 libidn2-0 libpq5 libyaml-0-2 libzstd1 \
        tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin tenure
USER 10001:10001
# SIGTERM drains: running jobs get their grace period before the process ends.
STOPSIGNAL SIGTERM
ENTRYPOINT ["tenure"]
CMD ["--help"]

FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libbrotli-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libcurl4-openssl-dev \
        libidn2-dev libpq-dev libyaml-dev libzstd-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
# Dependencies first: they change less often than the sources.
COPY Package.swift Package.resolve[d] ./
COPY bin/pins bin/packages.txt bin/
# In the versions that bin/packages.txt names, or not at all.
RUN bin/pins --resolve
COPY . .
RUN swift build -c release --product tenure --static-swift-stdlib \
    && install -D "$(swift build -c release --show-bin-path)/tenure" /out/tenure \
    && strip /out/tenure

FROM runtime
COPY --from=build /out/tenure /usr/local/bin/tenure
