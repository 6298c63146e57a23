// swift-tools-version: 6.2
import PackageDescription

/// One list of settings for every target. A misspelt feature would be ignored in silence,
/// so a test reads this list back (Tests/TidyTests).
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let tracing = Target.Dependency.product(
    name: "Tracing", package: "swift-distributed-tracing")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(
    name: "UnixSignals", package: "swift-service-lifecycle")

/// What only encryption needs: who takes the library with `traits: []` resolves none of it.
let crypto = Target.Dependency.product(
    name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Encryption"]))

/// What only the product needs: who takes the library with `traits: []` resolves none of it.
func forProduct(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Product"]))
}

let configuration = forProduct("Configuration", "swift-configuration")
let arguments = forProduct("ArgumentParser", "swift-argument-parser")

/// What the CLI serves with: metrics, health, a folder. Nothing else may link it.
let serving: [Target.Dependency] = [
    forProduct("Hummingbird", "hummingbird"), forProduct("HummingbirdCore", "hummingbird"),
    forProduct("HummingbirdTLS", "hummingbird"), forProduct("NIOSSL", "swift-nio-ssl"),
    forProduct("HTTPTypes", "swift-http-types"), forProduct("NIOCore", "swift-nio"),
    forProduct("NIOPosix", "swift-nio"), forProduct("NIOHTTPTypes", "swift-nio-extras"),
]

let package = Package(
    name: "tenure",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Tenure", targets: ["Tenure"]),
        .library(name: "TenureWorker", targets: ["TenureWorker"]),
        .library(name: "TenureCoordinator", targets: ["TenureCoordinator"]),
        .library(name: "TenureWeb", targets: ["TenureWeb"]),
        .library(name: "TenureTestKit", targets: ["TenureTestKit"]),
        .library(name: "TenureTestDatabase", targets: ["TenureTestDatabase"]),
        .library(name: "TenureEncryption", targets: ["TenureEncryption"]),
        .executable(name: "tenure", targets: ["TenureMain"]),
        .executable(name: "tenure-bench", targets: ["TenureBench"]),
    ],
    traits: [
        .trait(name: "Product", description: "The program tenure: fetching, checking, the CLI."),
        .trait(name: "Encryption", description: "The library TenureEncryption: AES-256-GCM."),
        .default(enabledTraits: ["Product", "Encryption"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // Only an example takes it, which a test runs.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
    ],
    targets: [
        // C at the edge: module maps, nothing else.
        .systemLibrary(
            name: "TenureLibpq", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "TenureLibidn2", pkgConfig: "libidn2",
            providers: [.apt(["libidn2-dev"]), .brew(["libidn2"])]),
        .systemLibrary(
            name: "TenureLibcmark", pkgConfig: "libcmark-gfm",
            providers: [
                .apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"]), .brew(["cmark-gfm"]),
            ]),
        .systemLibrary(
            name: "TenureLibyaml", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .target(name: "TenureLibcurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "TenureLibresolv", linkerSettings: [.linkedLibrary("resolv")]),
        .target(
            name: "TenureCodecs",
            linkerSettings: [
                .linkedLibrary("z"), .linkedLibrary("brotlidec"), .linkedLibrary("zstd"),
            ]),

        // What differs from system to system: nobody else asks which one this is.
        .target(
            name: "TenureLibc",
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
        .target(name: "TenureSystem", dependencies: ["TenureLibc"], swiftSettings: settings),
        .target(name: "TenureFoundation", swiftSettings: settings),

        // The library.
        .target(
            name: "TenurePostgres",
            dependencies: ["TenureFoundation", "TenureSystem", "TenureLibpq", logging],
            swiftSettings: settings),
        .target(
            name: "Tenure",
            dependencies: [
                "TenureFoundation", "TenureSystem", "TenurePostgres", logging, metrics, tracing,
            ],
            swiftSettings: settings, plugins: ["EmbedMigrations"]),
        .target(
            name: "TenureWorker",
            dependencies: [
                "TenureFoundation", "TenureSystem", "Tenure", "TenurePostgres", logging, metrics,
                tracing, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "TenureCoordinator",
            dependencies: [
                "TenureFoundation", "Tenure", "TenurePostgres", logging, metrics, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "TenureTestKit",
            dependencies: [
                "TenureFoundation", "Tenure", "TenureWorker", "TenurePostgres", logging,
            ],
            swiftSettings: settings),
        .target(
            name: "TenureEncryption",
            dependencies: ["TenureFoundation", "TenureSystem", "Tenure", crypto],
            swiftSettings: settings),
        .target(
            name: "TenureTestDatabase",
            dependencies: [
                "TenureFoundation",
                "Tenure", "TenureWorker", "TenureTestKit", "TenurePostgres", "EmbeddedPostgres",
                logging,
            ],
            swiftSettings: settings),

        // The console, for the product and for applications of Hummingbird.
        .target(
            name: "TenureWeb",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "Tenure", "TenureCoordinator", forProduct("Hummingbird", "hummingbird"),
                forProduct("HTTPTypes", "swift-http-types"), forProduct("NIOCore", "swift-nio"),
            ],
            swiftSettings: settings),

        // The product.
        .target(
            name: "Web", dependencies: ["TenureSystem", "TenureLibidn2", "TenureLibcmark"],
            swiftSettings: settings),
        .target(
            name: "HTTPTransport",
            dependencies: [
                "TenureSystem", "TenureLibcurl", "TenureLibresolv", "TenureCodecs", "Web",
            ],
            swiftSettings: settings),
        .target(
            name: "Content",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "Tenure", "TenureWorker", "TenureCoordinator", "Web", "HTTPTransport", logging,
            ],
            swiftSettings: settings, plugins: ["EmbedMigrations"]),
        .target(name: "YAML", dependencies: ["TenureLibyaml"], swiftSettings: settings),
        .target(
            name: "EmbeddedPostgres", dependencies: ["TenureFoundation", "TenureSystem", logging],
            swiftSettings: settings),
        .target(
            name: "TenureCLI",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "Tenure", "TenurePostgres", "TenureWorker", "TenureCoordinator", "TenureWeb",
                "Content", "EmbeddedPostgres", "YAML", logging, metrics, lifecycle, signals,
                configuration, arguments,
            ] + serving,
            swiftSettings: settings),
        // docs/decisions/names.md
        .executableTarget(name: "TenureMain", dependencies: ["TenureCLI"], swiftSettings: settings),

        // Measures the product; no part of it.
        .executableTarget(
            name: "TenureBench",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "TenureCLI", "Tenure", "TenureWorker", "Content", "EmbeddedPostgres", logging,
                arguments,
            ],
            swiftSettings: settings, plugins: ["EmbedMigrations"]),

        // The migrations, and the benchmark's SQL, become Swift source at build time.
        .executableTarget(name: "MigrationEmbedder", swiftSettings: settings),
        .plugin(
            name: "EmbedMigrations", capability: .buildTool(), dependencies: ["MigrationEmbedder"],
            path: "Sources/EmbedMigrations"),

        // Programs that users would write.
        .executableTarget(
            name: "first-example", dependencies: ["Tenure", "TenureWorker", "TenureTestDatabase"],
            path: "Examples/First", exclude: ["README.md"], swiftSettings: settings),
        .executableTarget(
            name: "shop-example",
            dependencies: [
                "Tenure", "TenureWorker", "TenureCoordinator", logging, lifecycle, signals,
            ],
            path: "Examples/Shop", exclude: ["README.md"], swiftSettings: settings),
        .executableTarget(
            name: "orders-example",
            dependencies: [
                "Tenure", "TenureWorker", "TenureCoordinator", logging, lifecycle, signals,
                forProduct("Hummingbird", "hummingbird"),
                forProduct("HTTPTypes", "swift-http-types"),
            ],
            path: "Examples/Orders", exclude: ["README.md"], swiftSettings: settings),
        .executableTarget(
            name: "web-example",
            dependencies: [
                "Tenure", "TenureWorker", "TenureWeb", logging, lifecycle, signals,
                forProduct("Hummingbird", "hummingbird"),
                forProduct("HTTPTypes", "swift-http-types"),
            ],
            path: "Examples/Web", exclude: ["README.md"], swiftSettings: settings),
        .executableTarget(
            name: "postgresnio-example",
            dependencies: [
                "Tenure", "TenureWorker", "PostgresNIOShape", logging, lifecycle, signals,
            ],
            path: "Examples/PostgresNIO/Program", swiftSettings: settings),
        // As much of PostgresNIO's face as that program uses: we can't depend on it.
        .target(
            name: "PostgresNIOShape", dependencies: ["TenurePostgres", logging, lifecycle],
            path: "Examples/PostgresNIO/Shape", swiftSettings: settings),

        // Tests mirror Sources.
        .target(
            name: "TestSupport",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "EmbeddedPostgres", "FaultSupport", "Tenure", "TenurePostgres", logging,
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "TenureSystemTests", dependencies: ["TenureFoundation", "TenureSystem"],
            swiftSettings: settings),
        .testTarget(
            name: "TenurePostgresTests",
            dependencies: [
                "TenureSystem", "TenurePostgres", "TestSupport", "FaultSupport", "EmbeddedPostgres",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EmbeddedPostgresTests", dependencies: ["TenureSystem", "EmbeddedPostgres"],
            swiftSettings: settings),
        .target(
            name: "WebFuzz", dependencies: ["Web"], path: "Tests/Fuzz", exclude: ["Cases", "run"],
            swiftSettings: settings),
        .executableTarget(
            name: "WebBenchmark", dependencies: ["Web"], path: "Tests/Benchmarks/Web",
            swiftSettings: settings),
        .executableTarget(
            name: "extract-text", dependencies: ["Web"], path: "Tests/Extraction/Tool",
            swiftSettings: settings),
        .testTarget(name: "WebTests", dependencies: ["Web", "WebFuzz"], swiftSettings: settings),
        .testTarget(name: "YAMLTests", dependencies: ["YAML"], swiftSettings: settings),
        .testTarget(
            name: "HTTPTransportTests",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "HTTPTransport", "Web", "TestSupport", "transport-probe", "TenureLibcurl",
            ],
            exclude: ["Probe"], swiftSettings: settings),
        .executableTarget(
            name: "transport-probe", dependencies: ["HTTPTransport"],
            path: "Tests/HTTPTransportTests/Probe", swiftSettings: settings),
        .testTarget(
            name: "TenureTests",
            dependencies: ["TenureFoundation", "TenureSystem", "Tenure", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "TenureWebTests",
            dependencies: [
                "TenureFoundation",
                "TenureWeb", "Tenure", "TestSupport", "EmbeddedPostgres",
                forProduct("Hummingbird", "hummingbird"),
                forProduct("HTTPTypes", "swift-http-types"), forProduct("NIOCore", "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TenureWorkerTests",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "TenureWorker", "TenureCoordinator", "Tenure", "TestSupport", "TenureTestKit",
                logging, lifecycle, tracing,
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TenureEncryptionTests",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "TenureEncryption", "TenureWorker", "TenureTestKit", "Tenure", "TestSupport",
                logging, lifecycle,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TenureTestKitTests",
            dependencies: [
                "TenureSystem",
                "TenureTestKit", "TenureTestDatabase", "TenureWorker", "Tenure", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReadmeTests",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "Tenure", "TenureWorker", "TenureCoordinator", "TenureTestKit",
                "TenureTestDatabase", "TenureEncryption", "TestSupport", "FaultSupport",
                "first-example", "shop-example", logging, lifecycle, signals,
                forProduct("Subprocess", "swift-subprocess"),
            ],
            swiftSettings: settings),
        .target(
            name: "FaultSupport", dependencies: ["TenureSystem", "Tenure"],
            path: "Tests/Faults/Support", swiftSettings: settings),
        .executableTarget(
            name: "fault-rig",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "FaultSupport", "EmbeddedPostgres", "Tenure", "TenureWorker", "TenureCoordinator",
                logging, lifecycle, signals, arguments,
            ],
            path: "Tests/Faults/Rig",
            resources: [
                .embedInCode("Machine/clock-shim.c"), .embedInCode("Witness/audit.sql"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "fault-rig", "FaultSupport", "EmbeddedPostgres", "Tenure", "TestSupport", logging,
            ],
            path: "Tests/Faults", exclude: ["Rig", "Support"], swiftSettings: settings),
        .testTarget(
            name: "ContentTests",
            dependencies: [
                "TenureFoundation",
                "Content", "TenureCLI", "TenureWorker", "Tenure", "HTTPTransport", "Web",
                "TenureCoordinator", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TenureCLITests",
            dependencies: [
                "TenureFoundation", "TenureSystem",
                "TenureCLI", "TenureMain", "TenureBench", "Tenure", "TenurePostgres",
                "EmbeddedPostgres", "FaultSupport", "TestSupport", "Content", "YAML", logging,
                forProduct("Hummingbird", "hummingbird"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ProtocolTests",
            dependencies: [
                "TenureFoundation", "TenureSystem", "Tenure", "TenurePostgres", "TenureCLI",
                "TestSupport",
            ],
            path: "Tests/Protocol", swiftSettings: settings),

        // Judges the recorded history of a run, by the promises alone: it knows no product target.
        .target(name: "History", path: "Tests/History/Checker", swiftSettings: settings),
        .executableTarget(
            name: "tenure-history", dependencies: ["History"], path: "Tests/History/Tool",
            swiftSettings: settings),
        .testTarget(name: "HistoryTests", dependencies: ["History"], swiftSettings: settings),

        // The worker's own code in a world that a seed decides.
        .target(
            name: "Simulation",
            dependencies: [
                "TenureFoundation", "TenureSystem", "Tenure", "TenureWorker", "TenurePostgres",
                "FaultSupport",
            ],
            path: "Tests/Simulation", exclude: ["Runner", "SimulationTests", "run"],
            swiftSettings: settings),
        .executableTarget(
            name: "Simulate", dependencies: ["Simulation"], path: "Tests/Simulation/Runner",
            swiftSettings: settings),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "TenureFoundation",
                "Simulation", "Tenure", "TenureWorker", "TenurePostgres", "TestSupport",
            ],
            path: "Tests/Simulation/SimulationTests", swiftSettings: settings),

        // The library's own worker, for the suite that judges workers in other languages.
        .executableTarget(
            name: "conformance-worker",
            dependencies: [
                "Tenure", "TenureFoundation", "TenureWorker", logging, lifecycle, signals,
            ],
            path: "Tests/Conformance/Swift", swiftSettings: settings),

        // Reads every file of the repository.
        .testTarget(name: "TidyTests", swiftSettings: settings),
    ]
)
