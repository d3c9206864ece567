// A picture on a canvas in a box that scrolls: what is seen of it is painted.
import {keysOf, make, on} from '../dom.js';

export class Canvas {
	// name: by which the focus comes back to it.
	constructor(app, name, label) {
		this.app = app;
		this.canvas = make('canvas', {'aria-hidden': 'true'});
		this.spacer = make('div', {});
		this.box = make('div', {class: 'flame', tabindex: '0', role: 'group', 'data-focus': name, 'aria-label': label, 'aria-describedby': 'details'}, this.canvas, this.spacer);
		this.details = make('p', {id: 'details', class: 'details', 'aria-live': 'polite'});
		for (const event of ['scroll', 'focus', 'blur'])
			on(this.box, event, () => this.paint());
		keysOf(this.box, this);
		this.observer = new ResizeObserver(() => this.resize());
		this.observer.observe(this.box);
	}

	// Painted once before the next frame, after any number of changes. more: for draw.
	paint(more) {
		this.more = more;
		this.frame = this.frame || requestAnimationFrame(() => {
			this.frame = 0;
			this.draw(this.more);
		});
	}

	leave() {
		this.observer.disconnect();
		cancelAnimationFrame(this.frame);
	}

	// An empty canvas, on which a pixel is one of the page.
	start(canvas, height, font) {
		const c = canvas.getContext('2d'), dpr = window.devicePixelRatio || 1;
		c.setTransform(dpr, 0, 0, dpr, 0, 0);
		c.clearRect(0, 0, this.width, height);
		c.font = font + ' system-ui, sans-serif';
		c.textBaseline = 'middle';
		return c;
	}
}

// The edge of the chosen box: boxes are light with dark colors of the page, too, unless they are pale.
export const edgeColor = (colors, pale) => pale ? colors.focus : '#0a58b5';

export function fillBox(c, color, x, y, width, height) {
	c.fillStyle = color;
	c.fillRect(x, y, width, height);
}

export function sized(canvas, width, height) {
	const dpr = window.devicePixelRatio || 1;
	canvas.width = width * dpr;
	canvas.height = height * dpr;
	canvas.style.width = width + 'px';
	canvas.style.height = height + 'px';
}
