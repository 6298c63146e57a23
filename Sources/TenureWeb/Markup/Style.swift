/// The style sheet of the console. It looks like one product with the HTML report of checks.
enum Style {
    static let icon: StaticString = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" \
        rx="6" fill="#0a53a8"/><path d="M7 8h18v5H7zm0 8h12v3H7zm0 6h7v3H7z" fill="#fff"/></svg>
        """
    static let text: StaticString = """
        :root { color-scheme: light dark; --back: #fff; --front: #1d2126; --soft: #545d68;
          --line: #d4d9df; --card: #f6f7f9; --link: #0a53a8; --bad: #b3261e; --doubt: #7a5600;
          --good: #1a6b36; --badge: #fff; --plain: #4a5561; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #14171b; --front: #e6e9ed; --soft: #a9b2bd; --line: #363d46;
            --card: #1c2026; --link: #8ec2ff; --bad: #ffb4ab; --doubt: #f2c668;
            --good: #85d69c; --badge: #14171b; --plain: #b9c2cc; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 0 1rem 2rem; max-width: 84rem; background: var(--back);
          color: var(--front); font: 1rem/1.5 system-ui, sans-serif; }
        a { color: var(--link); }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 1rem 0 .5rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.15rem; margin: 1.5rem 0 .25rem; }
        p { margin: .25rem 0; max-width: 70ch; }
        code, pre { font: .92em/1.45 ui-monospace, monospace; unicode-bidi: isolate; }
        code { overflow-wrap: anywhere; }
        pre { background: var(--card); border: 1px solid var(--line); border-radius: .4rem;
          padding: .75rem; margin: .25rem 0; max-height: 30rem; overflow: auto;
          white-space: pre-wrap; overflow-wrap: anywhere; }
        .skip { position: absolute; left: -100rem; }
        .skip:focus { left: 1rem; top: .5rem; background: var(--back); padding: .5rem; }
        header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline;
          border-bottom: 1px solid var(--line); padding: .75rem 0 .5rem; }
        header .name { font-weight: 700; color: inherit; text-decoration: none; }
        nav ul { display: flex; flex-wrap: wrap; gap: 0 .25rem; margin: 0; padding: 0;
          list-style: none; }
        nav a { display: inline-block; padding: .3rem .5rem; border-radius: .3rem;
          text-decoration: none; }
        nav a[aria-current] { background: var(--card); color: var(--front); font-weight: 600;
          box-shadow: inset 0 -2px var(--link); }
        nav.pages { display: flex; gap: .25rem; margin: .5rem 0; }
        nav.pages a { text-decoration: underline; }
        header .who { margin-left: auto; color: var(--soft); font-size: .9rem; }
        header .who form { display: inline; }
        header button { min-height: 2rem; padding: 0 .5rem; margin-left: .5rem; }
        form.door { display: grid; gap: .75rem; max-width: 22rem; margin: 1rem 0; }
        .door input { display: block; width: 100%; margin-top: .15rem; }
        .door button { justify-self: start; }
        #live { color: var(--soft); font-size: .9rem; margin: .5rem 0 0; min-height: 1.5em; }
        .notice { border: 1px solid var(--line); border-left: .3rem solid var(--good);
          background: var(--card); padding: .5rem .75rem; margin: .75rem 0; border-radius: .3rem; }
        .notice.bad { border-left-color: var(--bad); }
        .soft, .none { color: var(--soft); }
        .badge { display: inline-block; padding: 0 .45rem; border-radius: .3rem;
          background: var(--plain); color: var(--badge); font: 600 .85rem/1.5 ui-monospace,
          monospace; white-space: nowrap; }
        .badge.good { background: var(--good); } .badge.bad { background: var(--bad); }
        .badge.doubt { background: var(--doubt); }
        .table { overflow-x: auto; margin: .5rem 0; }
        table { border-collapse: collapse; width: 100%; }
        caption { text-align: left; color: var(--soft); font-size: .9rem; padding: .25rem 0; }
        th, td { text-align: left; padding: .35rem .75rem .35rem 0; vertical-align: top;
          border-top: 1px solid var(--line); overflow-wrap: break-word; }
        td .long, th .long { overflow-wrap: anywhere; display: inline-block; min-width: 9rem; }
        td a code, th a code { white-space: nowrap; }
        td time { white-space: nowrap; }
        thead th { border-top: 0; font-size: .85rem; color: var(--soft); white-space: nowrap; }
        tbody th { font-weight: 500; min-width: 9rem; }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr));
          gap: 0 1.5rem; margin: .5rem 0; }
        .facts div { display: flex; gap: .75rem; border-top: 1px solid var(--line);
          padding: .3rem 0; }
        .facts dt { flex: 0 0 8rem; color: var(--soft); }
        .facts dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
        .figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: .75rem 0; padding: 0;
          list-style: none; }
        .figures li { flex: 1 1 9rem; background: var(--card); border: 1px solid var(--line);
          border-radius: .4rem; padding: .5rem .75rem; }
        .figures strong { display: block; font-size: 1.5rem; line-height: 1.3;
          font-variant-numeric: tabular-nums; }
        .plots { display: flex; flex-wrap: wrap; gap: .75rem; }
        .plot { flex: 1 1 15rem; margin: 0; background: var(--card); padding: .5rem .75rem;
          border: 1px solid var(--line); border-radius: .4rem; }
        .plot figcaption { font-size: .9rem; color: var(--soft); }
        .plot strong { color: var(--front); }
        .plot svg { display: block; width: 100%; height: 3rem; }
        .plot polyline { fill: none; stroke: var(--link); stroke-width: 1.5;
          vector-effect: non-scaling-stroke; }
        .diff { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem;
          margin: .5rem 0; max-height: 40rem; overflow: auto; position: relative; }
        .diff > * { overflow-wrap: anywhere; min-height: 1.5em; max-width: none; }
        ins { color: var(--good); text-decoration: none; font-weight: 600; }
        del { color: var(--bad); }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden;
          clip-path: inset(50%); white-space: nowrap; }
        .why { border-left: .3rem solid var(--doubt); background: var(--card);
          padding: .5rem .75rem; margin: .5rem 0; border-radius: .3rem; }
        .why ul, .ladder { margin: .25rem 0; padding-left: 1.25rem; }
        form.filter { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end;
          margin: .75rem 0; }
        .fields { display: grid; gap: .75rem; max-width: 40rem; margin: .75rem 0; }
        .fields label:not(.check) :is(input, select, textarea) { display: block; width: 100%;
          margin-top: .15rem; }
        .reason { margin: .5rem 0; }
        label { display: block; color: var(--soft); font-size: .9rem; }
        .filter label { max-width: 100%; }
        .filter fieldset { flex: 1 1 100%; display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0;
          padding: 0 .75rem; border: 1px solid var(--line); border-radius: .3rem; min-width: 0; }
        legend { color: var(--soft); font-size: .9rem; padding: 0 .3rem; }
        fieldset .check { min-height: 2rem; color: inherit; }
        .filter label:not(.check) input, .filter select, .filter textarea { display: block;
          margin-top: .15rem; }
        input, select, button, textarea { font: inherit; min-height: 2.5rem; padding: .25rem .6rem;
          border: 1px solid var(--soft); border-radius: .3rem; background: var(--back);
          color: inherit; max-width: 100%; }
        input[type=checkbox] { min-height: 0; width: 1.15rem; height: 1.15rem; }
        .check { display: flex; gap: .4rem; align-items: center; min-height: 2.5rem; }
        button { cursor: pointer; background: var(--card); }
        button.grave { border-color: var(--bad); color: var(--bad); }
        td button { min-height: 2rem; padding: 0 .5rem; }
        .verbs { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        footer { margin-top: 2rem; padding-top: .5rem; border-top: 1px solid var(--line);
          color: var(--soft); font-size: .9rem; }
        @media (max-width: 40rem) {
          body { padding: 0 .6rem 2rem; }
          thead { position: absolute; left: -100rem; }
          tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0; }
          tbody th, td { display: flex; gap: .75rem; border: 0; padding: .1rem 0; }
          td.number { text-align: left; white-space: normal; }
          td::before { content: attr(data-label); flex: 0 0 6.5rem; color: var(--soft); }
          .facts { grid-template-columns: 1fr; } .facts dt { flex-basis: 6.5rem; } }
        @media print { nav, .verbs, form, button, #live { display: none; } }
        """
}
