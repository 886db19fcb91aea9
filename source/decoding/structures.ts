import {isUtf8} from 'node:buffer';
import {decodingLimits} from './encodings.ts';

/** An item of MessagePack or CBOR, without the items inside. */
type Item = {
	/** Bytes of its head, and of the content of a string. */
	readonly size: number;
	readonly contentBytes?: number;
	/** Items inside; infinite until a break in CBOR. */
	readonly children: number;
	readonly kind: 'map' | 'array' | 'text' | 'break' | 'other';
};

type ReadItem = (bytes: Buffer, offset: number) => Item | undefined;

/** What the heads of all items say about a structure; `excess` is the limit at which measuring stopped. */
type Structure = {
	/** True for a map whose first key is a text, or an array that begins with one. */
	readonly hasNames: boolean;
	readonly excess?: 'items' | 'depth';
};

/**
 * Reads the heads of all items without allocating what they claim. Undefined if the bytes are not exactly one
 * item.
 */
function measureStructure(bytes: Buffer, readItem: ReadItem): Structure | undefined {
	const open: {left: number; count: number; readonly isMap: boolean}[] = [{left: 1, count: 0, isMap: false}];
	let [offset, items, hasNames, canHaveNames] = [0, 0, false, true];
	for (let parent = open.at(-1); parent; parent = open.at(-1)) {
		if (parent.left === 0) {
			open.pop();
			continue;
		}
		const item = readItem(bytes, offset);
		if (!item || offset + item.size > bytes.length) return undefined;
		const contentEnd = offset + item.size;
		if (item.kind === 'break') {
			if (parent.left !== Number.POSITIVE_INFINITY || (parent.isMap && parent.count % 2 === 1))
				return undefined;
			open.pop();
			offset = contentEnd;
			continue;
		}
		if (parent.isMap && canHaveNames) {
			hasNames =
				item.kind === 'text' && isUtf8(bytes.subarray(contentEnd - (item.contentBytes ?? 0), contentEnd));
			canHaveNames = false;
		}
		offset = contentEnd;
		parent.left--;
		parent.count++;
		if (++items > decodingLimits.items) return {hasNames, excess: 'items'};
		if (item.children === 0) continue;
		// Every item takes at least one byte.
		if (item.children !== Number.POSITIVE_INFINITY && item.children > bytes.length - offset) return undefined;
		open.push({left: item.children, count: 0, isMap: item.kind === 'map'});
		if (open.length - 1 > decodingLimits.depth) return {hasNames, excess: 'depth'};
	}
	return offset === bytes.length ? {hasNames} : undefined;
}

const createScalar = (size: number): Item => ({size, children: 0, kind: 'other'});

const createString = (headBytes: number, contentBytes: number, kind: Item['kind']): Item => ({
	size: headBytes + contentBytes,
	contentBytes,
	children: 0,
	kind,
});

/** Sizes of the items 0xc0 to 0xdf of MessagePack whose size is fixed. */
const fixedSizes: Readonly<Record<number, number>> = {
	192: 1,
	194: 1,
	195: 1,
	202: 5,
	203: 9,
	204: 2,
	205: 3,
	206: 5,
	207: 9,
	208: 2,
	209: 3,
	210: 5,
	211: 9,
	212: 3,
	213: 4,
	214: 6,
	215: 10,
	216: 18,
};

/** Items of MessagePack with a length: the bytes of the length, of the rest of the head, and the kind. */
const itemsWithLength: Readonly<Record<number, readonly [number, number, Item['kind']]>> = {
	196: [1, 1, 'other'],
	197: [2, 1, 'other'],
	198: [4, 1, 'other'],
	199: [1, 2, 'other'],
	200: [2, 2, 'other'],
	201: [4, 2, 'other'],
	217: [1, 1, 'text'],
	218: [2, 1, 'text'],
	219: [4, 1, 'text'],
	220: [2, 1, 'array'],
	221: [4, 1, 'array'],
	222: [2, 1, 'map'],
	223: [4, 1, 'map'],
};

function readMessagePackItem(bytes: Buffer, offset: number): Item | undefined {
	const code = bytes[offset];
	if (code === undefined) return undefined;
	if (code < 0x80 || code >= 0xe0) return createScalar(1);
	if (code < 0x90) return {size: 1, children: 2 * (code & 0x0f), kind: 'map'};
	if (code < 0xa0) return {size: 1, children: code & 0x0f, kind: 'array'};
	if (code < 0xc0) return createString(1, code & 0x1f, 'text');
	const fixedSize = fixedSizes[code];
	if (fixedSize !== undefined) return createScalar(fixedSize);
	const layout = itemsWithLength[code];
	if (!layout || offset + 1 + layout[0] > bytes.length) return undefined;
	const [lengthBytes, otherBytes, kind] = layout;
	const length = bytes.readUIntBE(offset + 1, lengthBytes);
	if (kind === 'array') return {size: lengthBytes + 1, children: length, kind};
	if (kind === 'map') return {size: lengthBytes + 1, children: 2 * length, kind};
	return createString(lengthBytes + otherBytes, length, kind);
}

const cborKinds: readonly Item['kind'][] = [
	'other',
	'other',
	'other',
	'text',
	'array',
	'map',
	'other',
	'other',
];

function readCborItem(bytes: Buffer, offset: number): Item | undefined {
	const code = bytes[offset];
	if (code === undefined) return undefined;
	const [major, info] = [code >> 5, code & 0x1f];
	const kind = cborKinds[major] ?? 'other';
	if (info === 31) {
		if (major === 7) return {size: 1, children: 0, kind: 'break'};
		return major >= 2 && major <= 5 ? {size: 1, children: Number.POSITIVE_INFINITY, kind} : undefined;
	}
	const argumentBytes = info < 24 ? 0 : 2 ** (info - 24);
	if (argumentBytes > 8 || offset + 1 + argumentBytes > bytes.length) return undefined;
	const argument =
		argumentBytes === 0
			? info
			: argumentBytes === 8
				? Number(bytes.readBigUInt64BE(offset + 1))
				: bytes.readUIntBE(offset + 1, argumentBytes);
	const size = 1 + argumentBytes;
	switch (major) {
		case 2:
		case 3:
			return createString(size, argument, kind);
		case 4:
			return {size, children: argument, kind};
		case 5:
			return {size, children: 2 * argument, kind};
		case 6:
			return {size, children: 1, kind};
		default:
			return createScalar(size);
	}
}

export const measureMessagePack = (bytes: Buffer): Structure | undefined =>
	measureStructure(bytes, readMessagePackItem);

export const measureCbor = (bytes: Buffer): Structure | undefined => measureStructure(bytes, readCborItem);

/** True if the bytes begin with the tag of CBOR that says that they are CBOR. */
export const hasCborTag = (bytes: Buffer): boolean =>
	bytes[0] === 0xd9 && bytes[1] === 0xd9 && bytes[2] === 0xf7;
