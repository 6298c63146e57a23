extension Mutant {
    /// What jobs wait for.
    static let waits = [
        Mutant(
            "a signal is sent without the job's lock",
            ("send_signal", "j.id = send_signal.job FOR UPDATE", "j.id = send_signal.job"),
            meet: "wait 6 for s", "signal 6 (runs)",
            finding: "nobody waits for a signal that is there"),
        Mutant(
            "a run that ends to wait doesn't look for what was sent before",
            ("enter_waits", "AND s.taken_as IS NULL", "AND false"),
            meet: "wait 6 for s, sent before", "signal 21 (finished)",
            finding: "nobody waits for a signal that is there"),
        Mutant(
            "a signal wakes nobody", ("send_signal", "w.signal = send_signal.name", "false"),
            meet: "signal 32 (waits)", "signal 21 (finished)",
            finding: "nobody waits for a signal that is there"),
        Mutant(
            "the sweep of what waits asks for runs alone",
            ("stranded", "AND NOT tenure.has_wait(j.id)", ""),
            meet: "sweep waiting", "signal 21 (finished)",
            finding: "nobody is let go before what it waits for"),
        Mutant(
            "a received signal isn't marked",
            ("take_wait", "SET taken_as = take_wait.step", "SET taken_as = NULL"),
            meet: "take s for 6", "signal 21 (finished)", finding: "a signal is received once"),
        Mutant(
            "one that was seen isn't marked",
            ("take_signal", "SET taken_as = take_signal.step", "SET taken_as = NULL"),
            meet: "take s for 6, that was seen", "signal 21 (finished)",
            finding: "a signal is received once"),
    ]
}
