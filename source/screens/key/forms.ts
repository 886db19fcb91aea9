import {nodeAt} from './tree.ts';
import {bytesPerRow, type Form, type KeyView} from './value-view.ts';

/** Bytes of text whose rows may be found while a key waits for its answer. */
const furthest = 1 << 21;

/** The form before or after the one in front, around in a circle. */
export function formBeside({forms, form}: KeyView, by: 1 | -1): Form {
	return forms[(forms.indexOf(form) + by + forms.length) % forms.length] ?? form;
}

/** The view in the form before or after, the cursor on the same part of the value. */
export function nextForm(view: KeyView, by: 1 | -1, columns: number): KeyView {
	const form = formBeside(view, by);
	if (form === view.leads) return {...view, form};
	const place = placeIn(form, view, byteHere(view), columns);
	return {...view, form, known: view.lines.known, at: {...view.at, [form]: place ?? view.at[form]}};
}

/** The view with the cursor on a byte of the value, as far as that can be found in the form in front. */
export function atByte(view: KeyView, byte: number, columns: number): KeyView {
	const {form, lines, at} = view;
	if (form === 'text') lines.indexMore(byte + 1 - lines.indexed);
	const place = placeIn(form, view, byte, columns) ?? at[form];
	return {...view, leads: form, known: lines.known, at: {...at, [form]: place}};
}

/** The byte of the value that the cursor is on. */
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

/** Where a byte is in a form; `undefined` where finding out takes too long. */
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
