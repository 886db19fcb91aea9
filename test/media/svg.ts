import type {Frame} from '../terminal/screen/cells.ts';
import {cellHeight, cellWidth, escapeXml, fontFamily} from './grid.ts';
import {drawRow, textAttributes} from './row.ts';
import type {Theme} from './theme.ts';

/** Pixels of the title bar. */
export const barHeight = 32;
/** Pixels around the rows. */
export const padding = 14;

export type Picture = {
	readonly theme: Theme;
	/** Title bar of the window, and the label of the picture for screen readers. */
	readonly title: string;
};

/** A window of so many columns and rows around a drawing. */
export function drawWindow(
	columns: number,
	rows: number,
	{theme, title}: Picture,
	content: string,
	head = '',
): string {
	const width = columns * cellWidth + 2 * padding;
	const height = rows * cellHeight + barHeight + 2 * padding;
	const buttons = [0, 1, 2].map(
		index => `<circle cx="${20 + index * 19}" cy="${barHeight / 2}" r="5.5" fill="${theme.button}"/>`,
	);
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
		head,
		`<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="${theme.background}"/>`,
		`<path d="M0.5 ${barHeight}V9.5a9 9 0 0 1 9-9H${width - 9.5}a9 9 0 0 1 9 9V${barHeight}z" fill="${theme.bar}"/>`,
		`<path d="M0.5 ${barHeight + 0.5}H${width - 0.5}" stroke="${theme.border}"/>`,
		`<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="none" stroke="${theme.border}"/>`,
		...buttons,
		`<text x="${width / 2}" y="${barHeight / 2 + 4.5}" text-anchor="middle" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13" fill="${theme.title}">${escapeXml(title)}</text>`,
		`<g transform="translate(${padding} ${barHeight + padding})" ${textAttributes(theme, fontFamily)}>`,
		content,
		'</g>',
		'</svg>',
		'',
	]
		.filter((line, index, all) => line !== '' || index === all.length - 1)
		.join('\n');
}

/** The rows of a frame, each as SVG with its top at 0. */
export const drawRows = (frame: Frame, theme: Theme): string[] =>
	frame.rows.map((row, number) =>
		drawRow(row, 0, theme, frame.cursor?.row === number ? frame.cursor.column : undefined),
	);

/** A frame of a terminal as one picture. */
export function drawFrame(frame: Frame, picture: Picture): string {
	const rows = frame.rows.map((row, number) =>
		drawRow(
			row,
			number * cellHeight,
			picture.theme,
			frame.cursor?.row === number ? frame.cursor.column : undefined,
		),
	);
	return drawWindow(frame.columns, frame.rows.length, picture, rows.filter(row => row !== '').join('\n'));
}
