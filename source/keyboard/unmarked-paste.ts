import type {Key} from './key.ts';

/** Minimum characters before an enter in one read that can only be a paste. */
const minPastedCharacters = 3;

const isText = ({name, text}: Key): boolean => text !== '' && name !== 'paste';

/** Marks each enter in the keys of one read that can only be a line end of an unmarked paste. */
export function markPastedEnters(keys: readonly Key[]): readonly Key[] {
	if (keys.length <= minPastedCharacters) return keys;
	const lastTextIndex = keys.findLastIndex(isText);
	let textCount = 0;
	return keys.map((key, index) => {
		if (isText(key)) textCount++;
		else if (key.name !== 'enter' && key.name !== 'tab') textCount = 0;
		if (key.name !== 'enter' || textCount < minPastedCharacters) return key;
		return {...key, pasted: index < lastTextIndex ? 'inside' : 'at the end'};
	});
}
