/// What the browser does beside showing pages: it puts changed sections in their places. Without
/// it everything works, and is as old as the page.
enum Script {
    static let text: StaticString = """
        (() => {
          "use strict";
          const main = document.querySelector("main[data-live]");
          const status = document.getElementById("live");
          if (!main || !status || !window.EventSource) return;
          let source = null;
          const say = (text) => { if (status.textContent !== text) status.textContent = text; };
          const key = (element) => element && ["id", "formaction", "href", "value", "name"]
            .map((name) => element.getAttribute && element.getAttribute(name)).join(" ");
          const put = (event) => {
            const end = event.data.indexOf("\\n");
            const old = document.getElementById(event.data.slice(0, end));
            if (!old) return;
            const box = document.createElement("template");
            box.innerHTML = event.data.slice(end + 1);
            const next = box.content.firstElementChild;
            if (!next) return;
            const chosen = new Set([...old.querySelectorAll("input:checked")].map(key));
            const focus = old.contains(document.activeElement) ? key(document.activeElement) : null;
            const open = [...old.querySelectorAll("details[open]")].length > 0;
            if (open || window.getSelection().toString()) return;
            for (const input of next.querySelectorAll("input"))
              if (chosen.has(key(input))) input.checked = true;
            old.replaceWith(next);
            if (focus === null) return;
            for (const element of next.querySelectorAll("a, button, input, [tabindex]"))
              if (key(element) === focus) return element.focus({ preventScroll: true });
          };
          const units = [[172800, 86400, "d"], [7200, 3600, "h"], [120, 60, "m"], [0, 1, "s"]];
          const age = (element) => {
            const seconds = (Date.now() - Date.parse(element.dateTime)) / 1000;
            const [, length, unit] = units.find(([least]) => Math.abs(seconds) >= least);
            const number = Math.round(Math.abs(seconds) / length * 10) / 10;
            const text = (unit === "s" ? Math.round(number) : number) + unit;
            return seconds < 0 ? "in " + text : text + " ago";
          };
          setInterval(() => {
            if (document.hidden) return;
            for (const element of document.querySelectorAll("time.age"))
              element.textContent = age(element);
          }, 1000);
          const close = () => { if (source) { source.close(); source = null; } };
          const open = () => {
            if (source || document.hidden) return;
            source = new EventSource(location.href);
            source.addEventListener("section", put);
            source.addEventListener("trouble", (event) => say(event.data));
            source.addEventListener("well", () => say("Up to date."));
            source.addEventListener("over", () => { close(); setTimeout(open, 100); });
            source.addEventListener("error", () => {
              say("The console can’t be reached; trying again.");
              if (source && source.readyState === EventSource.CLOSED) {
                close();
                setTimeout(open, 2000);
              }
            });
          };
          document.addEventListener("visibilitychange", () => document.hidden ? close() : open());
          window.addEventListener("pagehide", close);
          window.addEventListener("pageshow", open);
          open();
        })();
        """
}
