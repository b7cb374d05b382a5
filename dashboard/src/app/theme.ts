import { type CSSVariablesResolver, createTheme } from "@mantine/core";

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 7, dark: 7 },
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { withArrow: true } },
    // Closed dropdowns are not rendered: positioning them would lay out the page twice.
    Combobox: { defaultProps: { keepMounted: false } },
    Modal: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

/** Mantine's dimmed colors have too little contrast. These have at least 4.5 (WCAG 1.4.3). */
export const readable: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5a6270",
    "--mantine-color-placeholder": "#6a7280",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-anchor": "#3b5bdb",
    "--mantine-color-red-outline": "#c92a2a",
    "--mantine-color-red-light-color": "#b02525",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#b02525",
  },
  dark: {
    "--mantine-color-dimmed": "#a6a7ab",
    "--mantine-color-placeholder": "#9a9b9f",
    "--mantine-color-error": "#ffa8a8",
    "--mantine-color-anchor": "#91a7ff",
    "--mantine-color-red-light-color": "#ffa8a8",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#b02525",
  },
});
