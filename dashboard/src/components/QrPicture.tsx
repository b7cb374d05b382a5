import { Box } from "@mantine/core";
import encodeQR from "qr";
import classes from "./components.module.css";

/** The width of the quiet zone in modules, which readers need to find the code. */
const quiet = 4;

/** A QR code, dark on white in both color schemes, since some readers can't read inverted codes. */
export default function QrPicture({ value, label }: { value: string; label: string }) {
  const modules = encodeQR(value, "raw", { border: quiet });
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <Box className={classes.qr}>
      <svg
        viewBox={`0 0 ${modules.length} ${modules.length}`}
        role="img"
        aria-label={label}
        shapeRendering="crispEdges"
        width="100%"
      >
        <path d={path} fill="#000" />
      </svg>
    </Box>
  );
}
