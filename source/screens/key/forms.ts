import {findNodeAt} from './tree.ts';
import {computeBytesPerRow, type KeyView, type ValueForm} from './value-view.ts';

/** Maximum bytes indexed while a keystroke waits. */
const maxIndexedBytes = 1 << 21;

/** Returns the next or previous form, wrapping around. */
export function getAdjacentValueForm({forms, form}: KeyView, by: 1 | -1): ValueForm {
	return forms[(forms.indexOf(form) + by + forms.length) % forms.length] ?? form;
}

/** Shows the next or previous form, with the cursor on the same part of the value. */
export function switchValueForm(view: KeyView, by: 1 | -1, columns: number): KeyView {
	const form = getAdjacentValueForm(view, by);
	if (form === view.lastMovedForm) return {...view, form};
	const position = findPositionInForm(form, view, getCurrentByte(view), columns);
	return {
		...view,
		form,
		knownRows: view.lines.knownRows,
		cursors: {...view.cursors, [form]: position ?? view.cursors[form]},
	};
}

/** Moves the cursor to a byte of the value. It stays if this form cannot locate the byte. */
export function moveToByte(view: KeyView, byte: number, columns: number): KeyView {
	const {form, lines, cursors} = view;
	if (form === 'text') lines.indexMore(byte + 1 - lines.indexedBytes);
	const position = findPositionInForm(form, view, byte, columns) ?? cursors[form];
	return {...view, lastMovedForm: form, knownRows: lines.knownRows, cursors: {...cursors, [form]: position}};
}

/** Returns the offset of the cursor in the value, in bytes. */
function getCurrentByte({lastMovedForm, tree, lines, cursors}: KeyView): number {
	switch (lastMovedForm) {
		case 'json': {
			const node = tree?.at(cursors.json)?.node ?? 0;
			return tree ? Buffer.byteLength(tree.nodes.text.slice(0, tree.nodes.memberStart(node))) : 0;
		}
		case 'text':
			return lines.getRowOffset(cursors.text);
		case 'hex':
			return cursors.hex;
		case 'image':
			return 0;
	}
}

/** Returns the row or offset of a byte in a form; undefined if finding it takes too long. */
function findPositionInForm(
	form: ValueForm,
	{bytes, tree, lines}: KeyView,
	byte: number,
	columns: number,
): number | undefined {
	switch (form) {
		case 'json': {
			const textBefore = Buffer.from(bytes.buffer, bytes.byteOffset, byte).toString('utf8');
			const node = tree && findNodeAt(tree, textBefore.length);
			return node === undefined ? undefined : tree?.findRow(node);
		}
		case 'text':
			if (lines.findRowOfByte(byte) === undefined) lines.indexMore(maxIndexedBytes);
			return lines.findRowOfByte(byte);
		case 'hex':
			return byte - (byte % computeBytesPerRow(columns));
		case 'image':
			return 0;
	}
}
