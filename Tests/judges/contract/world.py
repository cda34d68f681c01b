"""A house with people and things in it, made through the API itself."""

import datetime
import sqlite3

from contract import Client, Document


# Operations whose example needs what an empty account does not have, such as a form's token,
# a review under way, a device.
OPTIONAL_EXAMPLES = {"A7", "A9", "A78", "A80", "A70"}


class World:
    def __init__(self, house):
        self.house, self.url = house, house.url
        for name in ("ann", "bob"):
            done = house.command("user", "add", name, "--password", "correct horse battery", "--timezone", "Asia/Kathmandu")
            assert done.returncode == 0, done.stderr
        self.ann = Client(self.url, house.token("ann"))
        self.bob = Client(self.url, house.token("bob"))
        self.nobody = Client(self.url)
        self.document = Document(self.nobody.send("GET", "/api/openapi").body.decode())
        self.operations = self.document.operations
        self.by_number = {operation.number: operation for operation in self.operations}
        self.ids = {}
        self.furnish()

    def send(self, operation, target, body=None, headers=()):
        """As Ann, by token, or by session where nothing else counts."""
        if not operation.by_session_only:
            return self.ann.send(operation.method, target, body, headers)
        cookie = self.ann.send("POST", "/api/auth/session-from-token").headers["Set-Cookie"].split(";")[0]
        return self.ann.send(operation.method, target, body, [*headers, ("Cookie", cookie)], token=False)

    def has(self, *numbers):
        return all(number in self.by_number for number in numbers)

    def furnish(self):
        """Something of every kind for Ann, in every state."""
        ago = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
        make = self.ann.make
        self.private = make("POST", "/api/projects", {"name": "Secret"})["id"]
        self.shared = make("POST", "/api/projects", {"name": "Household", "shared": True})["id"]
        make("POST", "/api/labels", {"name": "errand"})

        def task(**fields):
            return make("POST", "/api/tasks", {"enrich": False, "project_id": self.private, **fields})["id"]

        self.task = task(title="Secret plan", notes="nobody reads this", due_at=ago, labels=["errand"])
        self.recurring = task(title="Water plants", rrule="FREQ=DAILY", due_at=ago)
        self.reminder = task(title="Pills", is_reminder=True)
        self.quota = task(title="Push-ups", rrule="FREQ=DAILY", progress_target=3)
        self.finished = task(title="Done with it")
        make("POST", f"/api/tasks/{self.finished}/done")
        self.trashed = task(title="Away")
        make("DELETE", f"/api/tasks/{self.trashed}")
        self.deadline = task(title="Taxes", deadline_at="2190-05-31")
        self.undated = task(title="Some day", horizon="weeks")
        self.tasks = [self.task, self.recurring, self.reminder, self.quota, self.finished, self.trashed, self.deadline,
                      self.undated]
        self.period = None
        if self.has("A43"):
            self.period = self.ann.get("/api/time-slots")["time_slots"][0]["id"]
        self.webhook = None
        if self.has("A90"):
            self.webhook = make(
                "POST", "/api/webhooks", {"url": "http://127.0.0.1:9/hook", "events": ["task.updated"]})["id"]
        self.token = make("POST", "/api/tokens", {"name": "spare"})["id"] if self.has("A11") else None

    def fresh_task(self, **fields):
        return self.ann.make("POST", "/api/tasks", {"title": "Thing", "enrich": False, **fields})["id"]

    def task_for(self, operation, **fields):
        """A task in the state that the operation is for."""
        match operation.path.rpartition("/")[2]:
            case "progress":
                return self.fresh_task(rrule="FREQ=DAILY", progress_target=3)
            case "skip-occurrence":
                return self.fresh_task(rrule="FREQ=DAILY", **fields)
            case "undone":
                number = self.fresh_task(**fields)
                self.ann.make("POST", f"/api/tasks/{number}/done")
            case "restore":
                number = self.fresh_task(**fields)
                self.ann.make("DELETE", f"/api/tasks/{number}")
            case _:
                number = self.fresh_task(**fields)
        return number

    def prompts(self):
        """The keys of today's quota reminders."""
        groups = self.ann.get("/api/reminders")["groups"]
        return [prompt["prompt_key"] for group in groups for prompt in group["prompts"]]

    def real(self, example):
        """An example of a body with things that are there in place of the numbers that it shows."""
        if isinstance(example, list):
            return [self.real(value) for value in example]
        if not isinstance(example, dict):
            return example
        body = {}
        for key, value in example.items():
            match key:
                case "ids" | "include_task_ids" | "date_task_ids":
                    body[key] = [self.fresh_task(due_at="2026-11-30") for _ in value]
                case "keys" | "prompts" if isinstance(value, list):
                    body[key] = self.prompts()[:1]
                case "task_ids":
                    body[key] = [self.fresh_task(horizon="days") for _ in value]
                case "task_id":
                    body[key] = self.fresh_task(horizon="days")
                case "project_ids":
                    body[key] = [self.private, self.shared]
                case "project_id":
                    body[key] = self.private
                case "slot_id" | "default_reminder_slot_id" | "quota_prompt_slot_id":
                    body[key] = value and self.period
                case _:
                    body[key] = self.real(value)
        return body

    def ids_by_path(self):
        """Ids of Ann's things, by the path that goes before them."""
        paths = {
            "/api/tasks/": self.tasks, "/api/projects/": [self.private, self.shared],
            "/api/time-slots/": [self.period], "/api/webhooks/": [self.webhook], "/api/tokens/": [self.token],
        }
        return {path: [number for number in ids if number] for path, ids in paths.items()}

    def tokens_in_use(self):
        """The ids of the tokens that the judges ask with."""
        with sqlite3.connect(f"file:{self.house.state}/opentask.db?mode=ro", uri=True) as database:
            found = [row[0] for row in database.execute("SELECT id FROM token")]
        return [number for number in found if number != self.token]
