import TenureCLI

await TenureCLI.main(Bench.self)
