/** Messages of Chromium, Firefox and Safari, and of Vite for styles, when a file of a page could not be loaded. */
const notFetched = /dynamically imported module|importing a module script failed|preload css/i;

/** Returns why a page can't be shown. */
export function pageFailure(error: unknown, online: boolean): { title: string; text: string } {
  if (error instanceof Error && notFetched.test(error.message)) {
    return online
      ? {
          title: "This page couldn't be loaded",
          text: "The server can't be reached, or it has been updated since you opened this page.",
        }
      : { title: "No connection", text: "This page couldn't be loaded. Check your connection and try again." };
  }
  return {
    title: "This page couldn't be shown",
    text: "The server may have been updated since you opened this page.",
  };
}
