const [firstSurrogate, lastSurrogate] = [0xd800, 0xdfff];

/**
 * Which of two keys comes first in a listing: they are in the order of their UTF-8 bytes, which is not that of the
 * UTF-16 units of a text where one has a surrogate pair and the other a unit behind the surrogates. Below zero, zero
 * or above it, as for `sort`.
 */
export function compareKeys(one: string, other: string): number {
	const length = Math.min(one.length, other.length);
	for (let at = 0; at < length; at++) {
		const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
		if (left !== right) return weight(left) - weight(right);
	}
	return one.length - other.length;
}

/** A half of a pair represents a character that comes behind all single units. */
const weight = (unit: number): number =>
	unit >= firstSurrogate && unit <= lastSurrogate ? unit + 0x1_0000 : unit;
