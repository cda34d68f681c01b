// The service worker: shows pushes, takes away what was handled elsewhere, acts on a notification's buttons.
//
// It keeps no copies of the page: an app that is always right needs its server, and an old copy would hide it.
// Payloads are those of api.md 5A: {title, body, data: {url, taskId?, dueAt?}, tag?, renotify?, silent?, actions?},
// {type: "dismiss", taskIds} and {type: "dismiss-all"}.

const base = new URL("./", self.location.href);
const at = (path) => new URL(path, base).href;

// A new version takes over at once; open pages only speak to it by messages that both versions know.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => event.waitUntil(receive(payloadOf(event.data))));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(respond(event.notification.data ?? {}, event.action));
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

/** Browsers demand that a push shows something, so that one without a readable payload gets words too. */
function payloadOf(data) {
  try {
    return data.json();
  } catch {
    return { title: "OpenTask", body: "Something has changed" };
  }
}

async function receive(payload) {
  if (payload.type === "dismiss") return dismiss(({ taskId }) => (payload.taskIds ?? []).includes(taskId));
  if (payload.type === "dismiss-all") return dismiss(() => true);
  // A push that was sent twice, because its first answer was lost, carries the same id: it replaces without a sound.
  const repeated = payload.tag !== undefined
    && (await self.registration.getNotifications({ tag: payload.tag }))
      .some((shown) => shown.data?.id !== undefined && shown.data.id === payload.data?.id);
  return self.registration.showNotification(payload.title ?? "OpenTask", {
    body: payload.body,
    data: payload.data ?? {},
    icon: at("icons/icon-192.png"),
    badge: at("icons/badge-96.png"),
    silent: payload.silent === true || repeated,
    actions: payload.actions ?? [],
    // A browser refuses renotify without a tag.
    ...(payload.tag ? { tag: payload.tag, renotify: payload.renotify === true && !repeated } : {}),
  });
}

/** Takes away the notifications whose data `matches`. */
async function dismiss(matches) {
  for (const shown of await self.registration.getNotifications()) {
    if (matches(shown.data ?? {})) shown.close();
  }
}

/** A press on a notification, or on one of its buttons ("done", "snooze"). */
async function respond(data, action) {
  const link = Number.isInteger(data.taskId) ? `?task=${data.taskId}` : new URL(data.url ?? "", base).search;
  if (action !== "done" && action !== "snooze") return open(at(link));
  if (await act(data, action)) return undefined;
  return self.registration.showNotification("Not done: OpenTask could not be reached", {
    body: "Open OpenTask to see how the task stands.",
    data: { url: at(link), taskId: data.taskId },
    tag: `task-${data.taskId}`,
    icon: at("icons/icon-192.png"),
    badge: at("icons/badge-96.png"),
  });
}

/**
 * Whether the server took the act. With the target that the notification was shown for, an old notification
 * never completes the next occurrence (C-3). A refusal in words (done already, in the trash) needs no second
 * notification: there is nothing left to do.
 */
async function act({ taskId, dueAt }, action) {
  const shownFor = dueAt ? { due_at: dueAt } : {};
  const [path, body] = action === "done"
    ? [`api/tasks/${taskId}/done`, shownFor]
    : [`api/tasks/${taskId}/snooze`, { option: "60", ...shownFor }];
  try {
    const { status } = await fetch(at(path), {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return status < 500 && status !== 401 && status !== 403;
  } catch {
    return false;
  }
}

/** Brings a page of ours to the front and leads it to `url`; opens one when there is none. */
async function open(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((client) => new URL(client.url).pathname === base.pathname);
  if (!page) return self.clients.openWindow(url);
  // The page goes there by itself, without a reload: what is being typed stays.
  page.postMessage({ type: "open", url });
  return page.focus();
}

/** The browser has replaced the subscription: the server must know the new one. */
async function subscribeAgain({ oldSubscription, newSubscription }) {
  const key = oldSubscription?.options.applicationServerKey;
  const made = newSubscription ?? (key && await self.registration.pushManager.subscribe({
    userVisibleOnly: true, applicationServerKey: key,
  }));
  if (!made) return;
  await fetch(at("api/push/subscribe"), {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(made.toJSON()),
  });
}
