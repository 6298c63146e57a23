# syntax=docker/dockerfile:1
# One image for the coordinator, the workers and the admin CLI: `docker build -t tenure .`

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libbrotli-dev libcurl4-openssl-dev libidn2-dev libpq-dev libzstd-dev pkg-config \
        zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
# Dependencies first: they change less often than the sources.
COPY Package.swift ./
COPY Package.resolve[d] ./
RUN swift package resolve
COPY . .
RUN swift build -c release --product tenure --static-swift-stdlib \
    && install -D "$(swift build -c release --show-bin-path)/tenure" /out/tenure

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libbrotli1 libcurl4 libidn2-0 libpq5 libzstd1 tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin tenure
COPY --from=build /out/tenure /usr/local/bin/tenure
USER 10001:10001
# SIGTERM drains: running jobs get their grace period before the process ends.
STOPSIGNAL SIGTERM
ENTRYPOINT ["tenure"]
CMD ["--help"]
