/** What a picture needs to look the same without the page's style sheet. */
const COPIED = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'shape-rendering',
] as const;
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** The picture as one SVG file: styles written into its elements, on the page's background, with its sentence as title. */
export function svgText(picture: SVGSVGElement, title: string): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const before = [...picture.querySelectorAll('*')];
  [...copy.querySelectorAll('*')].forEach((element, i) => {
    const style = getComputedStyle(before[i]!);
    for (const name of COPIED) {
      const value = style.getPropertyValue(name);
      if (value !== '' && value !== 'normal' && value !== 'auto') element.setAttribute(name, value);
    }
    element.removeAttribute('class');
    element.removeAttribute('tabindex');
  });
  const { width, height } = picture.getBoundingClientRect();
  const ground = document.createElementNS(SVG_NAMESPACE, 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', groundOf(picture));
  const heading = document.createElementNS(SVG_NAMESPACE, 'title');
  heading.textContent = title;
  copy.prepend(heading, ground);
  copy.setAttribute('xmlns', SVG_NAMESPACE);
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  return new XMLSerializer().serializeToString(copy);
}

/** The colour that the picture lies on. */
export function groundOf(element: Element): string {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour !== 'transparent' && !/, 0\)$/.test(colour)) return colour;
  }
  return 'white';
}
