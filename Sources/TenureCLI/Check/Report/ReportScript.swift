/// The filters of the HTML report. Without it everything is shown.
enum ReportScript {
    static let text: StaticString = """
        'use strict';
        const tools = document.querySelector('.tools');
        if (tools) {
          const words = document.getElementById('words');
          const code = document.getElementById('code');
          const count = document.getElementById('count');
          const views = [...document.querySelectorAll('[data-view]')].map(view => ({
            groups: [...view.querySelectorAll('.card')].map(card => {
              const rows = card.matches('[data-code]')
                ? [card] : [...card.querySelectorAll('[data-code]')];
              return { card, rows: rows.map(row => ({
                row, code: row.dataset.code,
                text: (row === card ? '' : card.querySelector('h3').textContent + ' ')
                  .concat(row.textContent).toLowerCase() })) };
            }) }));
          const apply = () => {
            const wanted = words.value.toLowerCase().split(/\\s+/).filter(word => word);
            const counts = views.map(view => {
              let shown = 0, all = 0;
              for (const { card, rows } of view.groups) {
                let some = false;
                for (const { row, code: own, text } of rows) {
                  const fits = (!code.value || own === code.value)
                    && wanted.every(word => text.includes(word));
                  row.hidden = !fits;
                  some ||= fits;
                  shown += fits;
                  all += 1;
                }
                card.hidden = !some;
              }
              return `${shown} of ${all}`;
            });
            const byPage = document.getElementById('by-page');
            count.textContent = `${counts[byPage && byPage.checked ? 1 : 0]} shown`;
          };
          let timer;
          words.addEventListener('input', () => {
            clearTimeout(timer);
            timer = setTimeout(apply, 150);
          });
          code.addEventListener('change', apply);
          for (const radio of document.querySelectorAll('input[name=group]')) {
            radio.addEventListener('change', apply);
          }
          // A browser lays out what is seen: long reports are there at once.
          for (const { groups } of views) {
            if (groups.length < 200) continue;
            for (const { card } of groups) {
              card.style.contentVisibility = 'auto';
              card.style.containIntrinsicSize = 'auto 8rem';
            }
          }
          tools.hidden = false;
          apply();
        }
        """
}
