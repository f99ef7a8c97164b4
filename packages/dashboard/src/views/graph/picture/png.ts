import { downloadBlob } from "../../../ui/download.ts";
import { colourOf, dashes, labelsOf, radiusOf, widths } from "./drawing.tsx";
import { boundsOf, type Label, type Point, type Positions } from "./layout.ts";
import type { Scene, SceneNode } from "./scene.ts";

/** Pixels for each unit of the picture. */
const scale = 2;

/** Downloads a scene as a PNG. The policy lets no picture be made from the page's own SVG, so it is drawn again. */
export async function downloadPng(scene: Scene, positions: Positions, name: string): Promise<boolean> {
  const labels = labelsOf(scene, positions);
  const { x, y, width, height } = boundsOf(positions.values(), labels);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext("2d");
  if (context === null) return false;
  context.fillStyle = colour("--paper");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale);
  draw(context, scene, positions, labels);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) return false;
  downloadBlob(blob, name);
  return true;
}

/** A colour of the theme as it is now: `light-dark()` is resolved on an element, not in the variable. */
function colour(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function draw(
  context: CanvasRenderingContext2D,
  scene: Scene,
  positions: Positions,
  labels: readonly Label[],
): void {
  const [edge, ink, paper] = ["--edge", "--ink", "--paper"].map(colour);
  context.strokeStyle = edge ?? "";
  for (const { from, to, type, opacity } of [
    ...scene.across.map((each) => ({ ...each, opacity: 0.5 })),
    ...scene.edges.map((each) => ({ ...each, opacity: 1 })),
  ]) {
    const a = positions.get(from);
    const b = positions.get(to);
    if (a === undefined || b === undefined) continue;
    context.globalAlpha = opacity;
    context.lineWidth = widths[type];
    context.setLineDash(dashes[type].split(" ").filter(Boolean).map(Number));
    context.beginPath();
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
  context.lineWidth = 1.8;
  for (const [id, each] of scene.nodes) {
    const at = positions.get(id);
    if (at !== undefined) drawMark(context, each, at);
  }
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = paper ?? "";
  context.fillStyle = ink ?? "";
  for (const { text, x, y } of labels) {
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}

/** A page or group, in the colour of its region. */
function drawMark(context: CanvasRenderingContext2D, each: SceneNode, at: Point): void {
  const radius = radiusOf(each);
  const region = colourOf(each);
  const plain = each.depth < 2 ? "--thread" : "--edge";
  context.beginPath();
  if (each.node.type === "database") context.rect(at.x - radius, at.y - radius, radius * 2, radius * 2);
  else context.arc(at.x, at.y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour(each.depth === 0 ? "--thread" : "--surface");
  context.strokeStyle = colour(region ?? plain);
  context.fill();
  context.stroke();
  if (region === null) return;
  context.globalAlpha = 0.3;
  context.fillStyle = colour(region);
  context.fill();
  context.globalAlpha = 1;
}
