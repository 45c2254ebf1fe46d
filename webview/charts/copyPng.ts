/**
 * A picture as PNG on the clipboard. Drawn element by element, as the page's policy lets no image be loaded, not even
 * one of its own making.
 */
import { groundOf } from './svgText';

const PIXELS_PER_PX = 2;

export async function copyPng(picture: SVGSVGElement): Promise<void> {
  const canvas = draw(picture);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null)
    throw Object.assign(new Error('The picture could not be drawn.'), { hint: 'Copy the SVG.' });
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
}

function draw(picture: SVGSVGElement): HTMLCanvasElement {
  const { width, height } = picture.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * PIXELS_PER_PX);
  canvas.height = Math.ceil(height * PIXELS_PER_PX);
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.fillStyle = groundOf(picture);
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const element of picture.querySelectorAll('line, rect, path, circle, text')) {
    if (element instanceof SVGGraphicsElement) drawElement(context, element);
  }
  return canvas;
}

function drawElement(context: CanvasRenderingContext2D, element: SVGGraphicsElement): void {
  const style = getComputedStyle(element);
  const matrix = element.getCTM();
  if (matrix === null || style.visibility === 'hidden') return;
  const { a, b, c, d, e, f } = matrix;
  context.setTransform(
    ...([a, b, c, d, e, f].map((value) => value * PIXELS_PER_PX) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]),
  );
  if (element.tagName === 'text') {
    drawText(context, element, style);
    return;
  }
  const path = outlineOf(element);
  if (style.fill !== 'none') {
    context.globalAlpha = Number(style.fillOpacity) * Number(style.opacity);
    context.fillStyle = style.fill;
    context.fill(path);
  }
  if (style.stroke !== 'none') {
    context.globalAlpha = Number(style.strokeOpacity) * Number(style.opacity);
    context.strokeStyle = style.stroke;
    context.lineWidth = Number.parseFloat(style.strokeWidth);
    context.setLineDash(
      style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(/[ ,]+/).map(Number.parseFloat),
    );
    context.stroke(path);
  }
}

function drawText(
  context: CanvasRenderingContext2D,
  element: SVGGraphicsElement,
  style: CSSStyleDeclaration,
): void {
  const anchors: Record<string, CanvasTextAlign> = { start: 'left', middle: 'center', end: 'right' };
  context.globalAlpha = Number(style.opacity) * Number(style.fillOpacity);
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.textAlign = anchors[style.textAnchor] ?? 'left';
  context.fillStyle = style.fill;
  context.fillText(element.textContent ?? '', attribute(element, 'x'), attribute(element, 'y'));
}

const attribute = (element: Element, name: string) =>
  Number.parseFloat(element.getAttribute(name) ?? '0') || 0;

function outlineOf(element: Element): Path2D {
  const value = (name: string) => attribute(element, name);
  if (element.tagName === 'path') return new Path2D(element.getAttribute('d') ?? '');
  const path = new Path2D();
  if (element.tagName === 'rect') path.rect(value('x'), value('y'), value('width'), value('height'));
  else if (element.tagName === 'circle') path.arc(value('cx'), value('cy'), value('r'), 0, 2 * Math.PI);
  else {
    path.moveTo(value('x1'), value('y1'));
    path.lineTo(value('x2'), value('y2'));
  }
  return path;
}
