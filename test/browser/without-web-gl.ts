/**
 * A script for a page that takes WebGL 2 away from it, and leaves the rest of `<canvas>`, which axe needs to judge
 * contrast.
 */
export const withoutWebGl = `
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === "webgl2" ? null : getContext.call(this, kind, ...rest);
  };
`;
