// The seller that this tab acts on. Each tab has its own; a new tab starts with the seller of the tab that opened it.
// It is stored as "seller user", so that the next user never requests a previous user's seller.
const name = "ticketgate-seller";
const lastUser = "ticketgate-user";

export function chosenSeller(): string | undefined {
  const user = localStorage.getItem(lastUser);
  return [sessionStorage, localStorage]
    .map((storage) => storage.getItem(name)?.split(" ") ?? [])
    .find(([, chosenBy]) => chosenBy === user)?.[0];
}

/** Stores the user whose choices apply in this browser. */
export function setUser(user: string) {
  if (localStorage.getItem(lastUser) !== user) localStorage.setItem(lastUser, user);
}

/** Stores the seller for this tab, across reloads. */
export function keepSeller(id: string) {
  sessionStorage.setItem(name, `${id} ${localStorage.getItem(lastUser)}`);
}

export function chooseSeller(id: string) {
  keepSeller(id);
  shareSeller();
}

export function forgetSeller() {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(name);
}

/** Makes new tabs start with this tab's seller. */
export function shareSeller() {
  const kept = sessionStorage.getItem(name);
  if (kept && localStorage.getItem(name) !== kept) localStorage.setItem(name, kept);
}
