import Simulation

// A few lines: the work is in the library.
SimulateCommand.main()
