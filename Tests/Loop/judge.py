"""The checker: what tables, triggers and sinks have noted, and nobody's word for it."""
import collections
import datetime
import json


class Judge:
    def __init__(self, database, hook, post):
        self.query, self.hook, self.post = database.query, hook, post
        self.wrong, self.figures = list(hook.wrong), collections.Counter()

    def say(self, text):
        self.wrong.append(text)

    def run(self, sites):
        self.ticks()
        self.checks()
        self.notices()
        self.arrivals()
        self.ends(sites)
        for what in ("due", "checks", "changes", "notices"):
            if not self.figures[what]:
                self.say(f"there were no {what}: nothing was seen")
        return self.wrong

    def ticks(self):
        """Each due time was fired once, its job was there and ended once, and began one check or
        noted one skip."""
        enqueued = self.query("SELECT at, xid::text, job, key FROM audit.enqueued")
        ended = self.query("SELECT at, xid::text, job, key, outcome FROM audit.ended")
        ends = collections.defaultdict(list)
        for at, xid, job, key, outcome in ended:
            ends[job].append((at, xid, key, outcome))
        fired = self.query("SELECT at, xid::text, schedule, due FROM audit.fired")
        for name, count in collections.Counter((row[2], row[3]) for row in fired).items():
            if count > 1:
                self.say(f"{name}: fired {count} times")
        spans = collections.defaultdict(list)
        for at, xid, job, key in enqueued:
            if [end[3] for end in ends[job]] != ["completed"]:
                self.say(f"the tick {job} of {key} ended so: {[end[3] for end in ends[job]]}")
            spans[key].append((at, xid, ends[job][0][0] if ends[job] else None))
        for at, xid, key, due in fired:
            if not any(xid == by or begin <= at and (end is None or end >= at)
                       for begin, by, end in spans[key]):
                self.say(f"{key} was due at {due}, and no tick of it was there")
        did = collections.Counter()
        for site, xid in self.query(
                "SELECT 'site:' || site, xid::text FROM audit.begun UNION ALL "
                "SELECT 'site:' || site, xid::text FROM audit.skipped"):
            did[site, xid] += 1
        owners = collections.Counter((key, xid) for _, xid, _, key, _ in ended)
        for key in did.keys() | owners.keys():
            if did[key] != 1 or owners[key] != 1:
                self.say(f"{key}: {owners[key]} ticks ended, {did[key]} checks or skips by them")
        self.figures.update(due=len(fired), ticks=len(enqueued))

    def checks(self):
        """One at a time, each to its end; what was skipped was skipped because of another."""
        finished = dict(self.query("SELECT check_id, at FROM audit.finished"))
        if len(finished) != self.query("SELECT count(*) FROM audit.finished")[0][0]:
            self.say("a check was finished twice")
        spans = collections.defaultdict(list)
        for at, site, check in self.query("SELECT at, site, check_id FROM audit.begun ORDER BY at"):
            if check not in finished:
                self.say(f"the check {check} of {site} has no end")
            elif spans[site] and spans[site][-1][1] > at:
                self.say(f"two checks of {site} at {at}")
            spans[site].append((at, finished.pop(check, at)))
        for check in finished:
            self.say(f"the check {check} has an end, and nobody began it")
        # A tick looks first, and commits then.
        slack = datetime.timedelta(seconds=5)
        skips = self.query("SELECT at, site, why FROM audit.skipped")
        for at, site, why in skips:
            if not any(begin <= at <= end + slack for begin, end in spans[site]):
                self.say(f"{site} was skipped at {at}, and nothing was running: {why}")
        self.figures.update(checks=sum(map(len, spans.values())), skips=len(skips))

    def notices(self):
        """What differs between the findings of two checks in a row was told by the later one: that,
        once, and nothing else."""
        findings = collections.defaultdict(set)
        for check, target in self.query(
                "SELECT check_id, finding ->> 'target' FROM content.check_finding"):
            findings[check].add(target)
        told = collections.defaultdict(list)
        for check, notice, body in self.query("SELECT check_id, id, body FROM content.notice"):
            told[check].append((notice, body))
        last = {}
        for site, check in self.query(
                "SELECT f.site, f.check_id FROM audit.finished f "
                "JOIN audit.begun b USING (check_id) ORDER BY b.at"):
            here, before = findings[check], last.get(site, findings[check])
            last[site] = here
            wanted = (here - before, before - here)
            found = [tuple({entry["target"] for entry in body[name]}
                           for name in ("broken", "mended")) for _, body in told[check]]
            if found != ([wanted] if any(wanted) else []):
                self.say(f"check {check}: {wanted} is news, and {found} was told")
            self.figures["changes"] += any(wanted)
        self.figures["notices"] = sum(map(len, told.values()))

    def arrivals(self):
        """Every notice came to both sinks, and whatever came twice is the same."""
        notices = dict(self.query("SELECT id::text, body FROM content.notice"))
        for notice, channel in self.query(
                "SELECT notice, channel FROM content.delivery WHERE sent_at IS NULL"):
            self.say(f"{notice} was not sent to {channel}")
        for name, told in (("hook", self.hook.told), ("mail", self.post.told)):
            came, ids = collections.defaultdict(list), collections.defaultdict(set)
            for one in told:
                came[one.notice].append(one.body)
                ids[one.check].add(one.notice)
            for notice in notices.keys() - came.keys():
                self.say(f"{notice} never came to {name}")
            for notice in came.keys() - notices.keys():
                self.say(f"{notice} came to {name}, and is no notice")
            for notice, bodies in came.items():
                if len(set(bodies)) > 1:
                    self.say(f"{notice} came to {name} in {len(set(bodies))} forms")
                if name == "hook" and json.loads(bodies[0]) != notices.get(notice):
                    self.say(f"{notice} came to {name} as something else")
            for check, several in ids.items():
                if check and len(several) > 1:
                    self.say(f"{check} came to {name} under {len(several)} ids")
            self.figures[f"{name}: came"] = len(told)
            self.figures[f"{name}: again"] = len(told) - len(came)

    def ends(self, sites):
        """What is known in the end is what is broken."""
        known = collections.defaultdict(set)
        for url, href in self.query(
                "SELECT s.url, b.href FROM content.site s JOIN content.site_broken b "
                "ON b.site = s.id"):
            known[url].add(href)
        for site in range(sites.count):
            if known[sites.url(site)] != sites.broken_urls(site):
                self.say(f"{sites.url(site)}: {known[sites.url(site)]} is known, and "
                         f"{sites.broken_urls(site)} is broken")
        left = self.query("SELECT kind, state::text, key FROM tenure.job LIMIT 5")
        if left:
            self.say(f"jobs are left: {left}")
