import type { Camera, Size } from "./camera.ts";
import { largestPoint } from "./label-layer.ts";
import { type MapFile, nodeBytes } from "./map-file.ts";

/** Draws a map with WebGL 2: the discs in one call, all pages as points in another. */
export interface Painter {
  draw(camera: Camera, size: Size, pixelRatio: number, isDark: boolean): void;
}

/** Places an instance. Its colour is looked up: to compute it for each page would take longer than to draw it. */
const shared = `#version 300 es
precision highp float;
uniform vec2 middle;
uniform vec2 pixels;
uniform float scale;
uniform float pixelRatio;
uniform lowp sampler2D palette;
out float edge;
out vec4 ink;

vec3 colourOf(float hue) {
  return texelFetch(palette, ivec2(int(hue * 255.0 + 0.5), 0), 0).rgb;
}

vec4 at(vec2 place, vec2 shift) {
  return vec4(((place - middle) * scale + shift) / pixels * vec2(2.0, -2.0), 0.0, 1.0);
}
`;

const nodeVertex = `${shared}
layout(location = 0) in vec2 place;
layout(location = 1) in float size;
layout(location = 2) in float hue;
void main() {
  float radius = exp2(size / 8.0 - 16.0) / 65535.0 * scale;
  float least = 0.9 * pixelRatio;
  float shown = clamp(radius, least, ${largestPoint}.0 * pixelRatio);
  float alpha = mix(0.4, 0.95, clamp(radius / least, 0.0, 1.0));
  edge = shown;
  ink = vec4(colourOf(hue), alpha);
  gl_Position = at(place, vec2(0.0));
  gl_PointSize = 2.0 * (shown + 1.0);
}`;

const discVertex = `${shared}
out vec2 corner;
layout(location = 0) in vec2 place;
layout(location = 1) in float size;
layout(location = 2) in float hue;
void main() {
  float radius = size * scale;
  corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  edge = radius;
  ink = vec4(colourOf(hue), clamp((radius / pixelRatio - 2.0) / 8.0, 0.0, 1.0));
  gl_Position = at(place, corner * (radius + 1.0));
}`;

const nodeFragment = `#version 300 es
precision highp float;
in float edge; in vec4 ink; out vec4 colour;
void main() {
  vec2 corner = gl_PointCoord * 2.0 - 1.0;
  float inside = clamp(edge + 0.5 - length(corner) * (edge + 1.0), 0.0, 1.0) * ink.a;
  colour = vec4(ink.rgb * inside, inside);
}`;

/** A soft ground, and a thin line around it. */
const discFragment = `#version 300 es
precision highp float;
uniform float pixelRatio;
in vec2 corner; in float edge; in vec4 ink; out vec4 colour;
void main() {
  float distance = edge - length(corner) * (edge + 1.0);
  float inside = clamp(distance + 0.5, 0.0, 1.0);
  float line = inside * clamp(pixelRatio + 0.5 - distance, 0.0, 1.0);
  float alpha = (inside * 0.1 + line * 0.3) * ink.a;
  colour = vec4(ink.rgb * alpha, alpha);
}`;

/** Null if the browser has no WebGL 2. */
export function createPainter(canvas: HTMLCanvasElement, map: MapFile): Painter | null {
  const gl = canvas.getContext("webgl2", { alpha: true, antialias: false, premultipliedAlpha: true });
  if (gl === null) return null;
  const discs = layer(gl, discVertex, discFragment, discsAsFloats(map), 1, (pointer) => {
    pointer(0, 2, gl.FLOAT, false, 16, 0);
    pointer(1, 1, gl.FLOAT, false, 16, 8);
    pointer(2, 1, gl.FLOAT, false, 16, 12);
  });
  const nodes = layer(gl, nodeVertex, nodeFragment, map.nodes, 0, (pointer) => {
    pointer(0, 2, gl.UNSIGNED_SHORT, true, nodeBytes, 0);
    pointer(1, 1, gl.UNSIGNED_BYTE, false, nodeBytes, 4);
    pointer(2, 1, gl.UNSIGNED_BYTE, true, nodeBytes, 5);
  });
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  let wasDark: boolean | null = null;
  return {
    draw(camera, { width, height }, pixelRatio, isDark) {
      const [w, h] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
      if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
      if (wasDark !== isDark) {
        const colours = hues(isDark);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, colours);
        wasDark = isDark;
      }
      gl.viewport(0, 0, w, h);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      for (const [{ program, array, uniform }, count, isOfPoints] of [
        [discs, map.discs.length, false],
        [nodes, map.count, true],
      ] as const) {
        // biome-ignore lint/correctness/useHookAtTopLevel: this is WebGL, not a hook.
        gl.useProgram(program);
        gl.bindVertexArray(array);
        gl.uniform2f(uniform("middle"), camera.x, camera.y);
        gl.uniform2f(uniform("pixels"), w, h);
        gl.uniform1f(uniform("scale"), camera.scale * pixelRatio);
        gl.uniform1f(uniform("pixelRatio"), pixelRatio);
        gl.uniform1i(uniform("palette"), 0);
        if (isOfPoints) gl.drawArrays(gl.POINTS, 0, count);
        else gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
      }
    },
  };
}

/** 256 colours all around the circle of hues, equally light (Oklab). Neighbours by number are a golden angle apart. */
function hues(isDark: boolean): Uint8Array<ArrayBuffer> {
  const [lightness, chroma] = isDark ? [0.76, 0.11] : [0.56, 0.13];
  const colours = new Uint8Array(4 * 256);
  for (let number = 0; number < 256; number += 1) {
    const angle = number * Math.PI * (3 - Math.sqrt(5));
    const a = chroma * Math.cos(angle);
    const b = chroma * Math.sin(angle);
    const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
      4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
      -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
      -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
    ];
    const encoded = linear.map((value) => Math.round(255 * Math.min(1, Math.max(0, value)) ** (1 / 2.2)));
    colours.set([...encoded, 255], 4 * number);
  }
  return colours;
}

function discsAsFloats({ discs }: MapFile): Float32Array<ArrayBuffer> {
  const floats = new Float32Array(4 * discs.length);
  for (const [index, { x, y, radius, hue }] of discs.entries()) floats.set([x, y, radius, hue], 4 * index);
  return floats;
}

type Pointer = (
  location: number,
  size: number,
  type: number,
  isNormalized: boolean,
  stride: number,
  offset: number,
) => void;

/** A program with the attributes of what it draws. */
function layer(
  gl: WebGL2RenderingContext,
  vertex: string,
  fragment: string,
  data: ArrayBufferView<ArrayBuffer>,
  /** 1 if each element is an instance, 0 if it is a point. */
  divisor: 0 | 1,
  describe: (pointer: Pointer) => void,
) {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind);
    // A lost context has none; it draws nothing until it is restored.
    if (shader === null) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  describe((location, size, type, isNormalized, stride, offset) => {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, isNormalized, stride, offset);
    gl.vertexAttribDivisor(location, divisor);
  });
  const known = new Map<string, WebGLUniformLocation | null>();
  const uniform = (name: string) => {
    const found = known.get(name) ?? gl.getUniformLocation(program, name);
    known.set(name, found);
    return found;
  };
  return { program, array, uniform };
}
