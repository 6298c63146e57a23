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
          // When something was heard last.
          let heard = 0;
          const key = (element) => element && ["id", "formaction", "href", "value", "name"]
            .map((name) => element.getAttribute && element.getAttribute(name)).join(" ");
          // What waits until nothing is selected any more, or a part is closed.
          const waiting = new Map();
          const put = (id, html) => {
            const old = document.getElementById(id);
            const box = document.createElement("template");
            box.innerHTML = html;
            const next = box.content.firstElementChild;
            if (!old || !next) return true;
            const chosen = new Set([...old.querySelectorAll("input:checked")].map(key));
            const focus = old.contains(document.activeElement) ? key(document.activeElement) : null;
            if (window.getSelection().toString()) return false;
            for (const input of next.querySelectorAll("input"))
              if (chosen.has(key(input))) input.checked = true;
            old.replaceWith(next);
            if (focus === null) return true;
            for (const element of next.querySelectorAll("a, button, input, [tabindex]"))
              if (key(element) === focus) {
                element.focus({ preventScroll: true });
                break;
              }
            return true;
          };
          const settle = () => {
            for (const [id, html] of waiting) if (put(id, html)) waiting.delete(id);
            if (isWell) say(waiting.size ? "News waits until nothing is selected." : "Up to date.");
          };
          let isWell = false;
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
            if (isWell && Date.now() - heard > 25000) {
              isWell = false;
              say("The console doesn’t answer; trying again.");
              close();
              open();
            }
            if (waiting.size) settle();
            for (const element of document.querySelectorAll("time.age"))
              element.textContent = age(element);
          }, 1000);
          const close = () => { if (source) { source.close(); source = null; } };
          const open = () => {
            if (source || document.hidden) return;
            source = new EventSource(location.href);
            for (const name of ["section", "trouble", "well", "alive"])
              source.addEventListener(name, () => { heard = Date.now(); });
            source.addEventListener("section", (event) => {
              const end = event.data.indexOf("\\n");
              waiting.set(event.data.slice(0, end), event.data.slice(end + 1));
              settle();
            });
            source.addEventListener("trouble", (event) => { isWell = false; say(event.data); });
            source.addEventListener("well", () => { isWell = true; settle(); });
            source.addEventListener("over", () => { close(); setTimeout(open, 100); });
            source.addEventListener("error", () => {
              isWell = false;
              const lost = () => say("The console can’t be reached; trying again.");
              if (!source || source.readyState !== EventSource.CLOSED) return lost();
              close();
              setTimeout(open, 2000);
              fetch(location.href, { method: "HEAD" }).then((answer) => answer.status === 401
                ? say("This browser is logged out: load the page to see how to log in.")
                : lost(), lost);
            });
          };
          document.addEventListener("visibilitychange", () => document.hidden ? close() : open());
          window.addEventListener("pagehide", close);
          window.addEventListener("pageshow", open);
          open();
        })();
        """
}
