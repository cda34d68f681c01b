// The account: who is signed in, notifications of this browser, the keys, signing out.

import { at } from "./base.js";
import { Dialog } from "./dialog.js";
import { bellIcon } from "./icons.js";
import { html, useEffect, useState } from "./preact.js";
import { disablePush, enablePush, pushState, testPush } from "./push.js";
import { sayRefused } from "./receipt.js";
import { signOut } from "./session.js";
import { update } from "./store.js";

/** The state of notifications, and acts on it that lead to the next state. */
function usePush() {
  const [push, setPush] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const look = async () => setPush(await pushState());
  const run = (act) => async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const words = await act();
      await look();
      if (words) setPush((before) => ({ ...before, words }));
    } catch (error) {
      await look().catch(() => {});
      setPush((before) => ({ state: "off", ...before, words: error.message }));
    }
    setBusy(false);
  };
  useEffect(() => {
    look().catch((error) => setPush({ state: "unavailable", words: error.message }));
  }, []);
  return { push, isBusy, run };
}

function Notifications() {
  const { push, isBusy, run } = usePush();
  return html`
    <section class="notifications">
      <h3>${bellIcon}Notifications</h3>
      <p role="status">${push?.words}</p>
      ${push?.state === "off" && html`
        <button type="button" class="button is-ready" aria-disabled=${isBusy} onClick=${run(enablePush)}>
          Enable notifications
        </button>`}
      ${push?.state === "on" && html`
        <button type="button" class="button" aria-disabled=${isBusy} onClick=${run(testPush)}>Send a test</button>
        <button type="button" class="button quiet" aria-disabled=${isBusy} onClick=${run(disablePush)}>Turn off</button>`}
    </section>`;
}

const offerSetting = "opentask-offer-notifications";

const wasAnswered = () => {
  try {
    return localStorage.getItem(offerSetting) === "answered";
  } catch {
    return false;
  }
};

/** The same, offered once on the page itself: nobody looks for it in a menu before it is missed. */
export function NotificationsOffer() {
  const [isOpen, setOpen] = useState(() => !wasAnswered());
  const { push, isBusy, run } = usePush();
  const close = () => {
    try {
      localStorage.setItem(offerSetting, "answered");
    } catch {
      // Without storage it is asked again next time.
    }
    setOpen(false);
  };
  if (!isOpen || !push || push.state !== "off") return null;
  return html`
    <aside class="offer" aria-label="Notifications">
      <p role="status">${push.words}</p>
      <div>
        <button type="button" class="button is-ready" aria-disabled=${isBusy} onClick=${run(enablePush)}>
          Enable notifications
        </button>
        <button type="button" class="button quiet" onClick=${close}>Not now</button>
      </div>
    </aside>`;
}

async function leave() {
  try {
    // Whoever uses this browser next must not read these tasks on its notifications.
    await disablePush();
    await signOut();
    location.assign(at("login"));
  } catch {
    update({ dialog: null });
    sayRefused("Couldn't reach OpenTask. You are still signed in");
  }
}

export function AccountDialog({ user }) {
  return html`
    <${Dialog} title=${html`<bdi>${user.name}</bdi>`}>
      <p class="hint">Times are those of ${user.timezone.replaceAll("_", " ")}</p>
      <${Notifications} />
      <div class="acts">
        <button type="button" class="button quiet" onClick=${() => update({ dialog: { name: "keys" } })}>
          Keys
        </button>
        <button type="button" class="button" onClick=${leave}>Sign out</button>
      </div>
    <//>`;
}
