import type {Key} from './key.ts';

/** Nobody types so many characters, and enter, between two reads. */
const pastedCharacters = 3;

const isText = ({name, text}: Key): boolean => text !== '' && name !== 'paste';

/** The keys of one read: each enter that can only be a line end of a paste without marks says so. */
export function withPastedEnds(keys: readonly Key[]): readonly Key[] {
	if (keys.length <= pastedCharacters) return keys;
	const last = keys.findLastIndex(isText);
	let texts = 0;
	return keys.map((key, at) => {
		if (isText(key)) texts++;
		else if (key.name !== 'enter' && key.name !== 'tab') texts = 0;
		if (key.name !== 'enter' || texts < pastedCharacters) return key;
		return {...key, pasted: at < last ? 'inside' : 'at the end'};
	});
}
