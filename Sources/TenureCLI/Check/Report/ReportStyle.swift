/// The style sheet of the HTML report.
enum ReportStyle {
    static let text: StaticString = """
        :root { --back: #fff; --front: #1d2126; --soft: #545d68;
          --line: #d4d9df; --card: #f6f7f9; --link: #0a53a8; --bad: #b3261e; --doubt: #7a5600;
          --good: #1a6b36; --badge: #fff; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #14171b; --front: #e6e9ed; --soft: #a9b2bd; --line: #363d46;
            --card: #1c2026; --link: #8ec2ff; --bad: #ffb4ab; --doubt: #f2c668;
            --good: #85d69c; --badge: #14171b; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1rem; max-width: 70rem; background: var(--back);
          color: var(--front); font: 1rem/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
        h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
        h3 { font-size: 1rem; line-height: 1.4; margin: 0; overflow-wrap: anywhere; }
        p { margin: .25rem 0; }
        a { color: var(--link); }
        code { font: .92em ui-monospace, monospace; unicode-bidi: isolate;
          overflow-wrap: anywhere; }
        ul { margin: .5rem 0 0; padding: 0; list-style: none; }
        li { padding: .25rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
        .verdict { font-size: 1.1rem; font-weight: 600; color: var(--good); }
        .verdict.bad { color: var(--bad); }
        .soft { color: var(--soft); }
        .badge { display: inline-block; padding: 0 .45rem; border-radius: .3rem;
          background: var(--bad); color: var(--badge); font: 600 .85rem/1.5 ui-monospace, monospace;
          overflow-wrap: anywhere; }
        .suspect .badge, .badge.suspect { background: var(--doubt); }
        .mended .badge { background: var(--good); }
        .tools { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; }
        .tools label { display: block; color: var(--soft); font-size: .9rem; }
        input[type=search], select { font: inherit; min-height: 2.5rem; padding: .25rem .5rem;
          border: 1px solid var(--soft); border-radius: .3rem; background: var(--back);
          color: inherit; width: 100%; }
        .words { flex: 1 1 16rem; }
        .choice { display: inline-block; white-space: nowrap;
          margin: 0 1rem 0 .25rem; padding: .25rem 0; }
        input[type=radio] { width: 1.1rem; height: 1.1rem; margin: 0; vertical-align: -.15rem; }
        .card { background: var(--card); border: 1px solid var(--line); border-radius: .4rem;
          padding: .75rem; margin: .5rem 0; }
        [hidden] { display: none !important; }
        #by-page:checked ~ #targets, #by-target:checked ~ #pages { display: none; }
        footer { margin-top: 2rem; padding-top: .5rem; border-top: 1px solid var(--line);
          color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
        @media print {
          :root { --back: #fff; --front: #000; --soft: #444; --line: #999;
            --card: #fff; --link: #000; --bad: #8c1d18; --doubt: #5c4100; --good: #12502a;
            --badge: #fff; }
          body { max-width: none; padding: 0; font-size: 10pt; }
          .tools, .choice, input { display: none; }
          .card { break-inside: avoid; }
          .badge { border: 1px solid currentcolor; background: none !important;
            color: var(--front); } }
        """
}
