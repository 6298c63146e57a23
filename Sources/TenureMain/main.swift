import TenureCLI

await TenureCLI.main()
