import {nodeAt} from './tree.ts';
import {bytesPerRow, type Form, type KeyView} from './value-view.ts';

/** Maximum bytes indexed while a keystroke waits. */
const furthest = 1 << 21;

/** Returns the next or previous form, wrapping around. */
export function formBeside({forms, form}: KeyView, by: 1 | -1): Form {
	return forms[(forms.indexOf(form) + by + forms.length) % forms.length] ?? form;
}

/** Shows the next or previous form, with the cursor on the same part of the value. */
export function nextForm(view: KeyView, by: 1 | -1, columns: number): KeyView {
	const form = formBeside(view, by);
	if (form === view.leads) return {...view, form};
	const place = placeIn(form, view, byteHere(view), columns);
	return {...view, form, known: view.lines.known, at: {...view.at, [form]: place ?? view.at[form]}};
}

/** Moves the cursor to a byte of the value; it stays if the byte cannot be located in this form. */
export function atByte(view: KeyView, byte: number, columns: number): KeyView {
	const {form, lines, at} = view;
	if (form === 'text') lines.indexMore(byte + 1 - lines.indexed);
	const place = placeIn(form, view, byte, columns) ?? at[form];
	return {...view, leads: form, known: lines.known, at: {...at, [form]: place}};
}

/** Returns the offset of the cursor in the value, in bytes. */
function byteHere({leads, tree, lines, at}: KeyView): number {
	switch (leads) {
		case 'json': {
			const node = tree?.at(at.json)?.node ?? 0;
			return tree ? Buffer.byteLength(tree.nodes.text.slice(0, tree.nodes.memberStart(node))) : 0;
		}
		case 'text':
			return lines.byteOf(at.text);
		case 'hex':
			return at.hex;
	}
}

/** Returns the row or offset of a byte in a form; undefined if finding it takes too long. */
function placeIn(
	form: Form,
	{bytes, tree, lines}: KeyView,
	byte: number,
	columns: number,
): number | undefined {
	switch (form) {
		case 'json': {
			const before = Buffer.from(bytes.buffer, bytes.byteOffset, byte).toString('utf8');
			const node = tree && nodeAt(tree, before.length);
			return node === undefined ? undefined : tree?.rowOf(node);
		}
		case 'text':
			if (lines.rowOfByte(byte) === undefined) lines.indexMore(furthest);
			return lines.rowOfByte(byte);
		case 'hex':
			return byte - (byte % bytesPerRow(columns));
	}
}
