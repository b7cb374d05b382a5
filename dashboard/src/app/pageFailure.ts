/** How browsers say that a page's file did not come: in the order of Chromium, Firefox and Safari, and of its styles. */
const notFetched = /dynamically imported module|importing a module script failed|preload css/i;

/** Why a page can't be shown, for people. */
export function pageFailure(error: unknown, online: boolean): { title: string; text: string } {
  if (error instanceof Error && notFetched.test(error.message)) {
    return online
      ? {
          title: "This page could not be fetched",
          text: "The server can't be reached, or the page has changed on it since you opened it.",
        }
      : { title: "No connection", text: "This page could not be fetched. Check your connection and try again." };
  }
  return {
    title: "This page could not be shown",
    text: "The page may have changed on the server since you opened it.",
  };
}
