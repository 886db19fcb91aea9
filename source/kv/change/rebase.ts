import type {Lifetime} from '../store.ts';
import type {PutProposal} from './proposal.ts';
import {type Base, isSameExpiry, isSameMetadata, isSameValue, type WholeKey} from './whole-key.ts';

export type KeyPart = 'value' | 'metadata' | 'expiry';

/** A change applied to what is stored now, or the parts that both sides changed differently. */
type RebaseOutcome =
	| {
			readonly type: 'rebased';
			readonly proposal: PutProposal;
			/** Parts that someone else changed, which stay as stored. */
			readonly theirParts: readonly KeyPart[];
			/** Parts that I changed; with `merged`, also the value. */
			readonly myParts: readonly KeyPart[];
	  }
	| {
			readonly type: 'conflict';
			readonly parts: readonly KeyPart[];
			/** Parts that only someone else changed. */
			readonly theirParts: readonly KeyPart[];
	  };

/**
 * Applies a change to what is stored now (if `checkProposal` returns `changed` or `appeared`): untouched
 * parts are as stored, touched ones are mine. If both sides changed the value, `merged` replaces it; without
 * `merged`, that is a conflict.
 */
export function rebaseProposal(proposal: PutProposal, stored: WholeKey, merged?: Uint8Array): RebaseOutcome {
	const {base, mine} = proposal;
	const sides: Record<KeyPart, ChangeSide> = {
		value: merged ? 'mine' : determineSide(isSameValue, base, mine, stored),
		metadata: determineSide(hasSameMetadata, base, mine, stored),
		expiry: determineExpirySide(proposal, stored),
	};
	const parts = Object.keys(sides) as KeyPart[];
	const conflicts = parts.filter(part => sides[part] === 'both');
	const theirParts = parts.filter(part => sides[part] === 'theirs');
	if (conflicts.length > 0) return {type: 'conflict', parts: conflicts, theirParts};
	return {
		type: 'rebased',
		theirParts,
		myParts: parts.filter(part => sides[part] === 'mine'),
		proposal: {
			...proposal,
			base: stored,
			// An undo names the expiry that it restores; theirs stays.
			...(sides.expiry === 'theirs' && {lifetime: 'keep'}),
			mine: {
				bytes: merged ?? (sides.value === 'mine' ? mine : stored).bytes,
				metadata: (sides.metadata === 'mine' ? mine : stored).metadata,
			},
		},
	};
}

type ChangeSide = 'nobody' | 'mine' | 'theirs' | 'both';

function determineSide(
	isSame: (one: Base, other: Base) => boolean,
	base: Base | undefined,
	mine: WholeKey,
	stored: WholeKey,
): ChangeSide {
	if (isSame(mine, stored)) return base && isSame(base, stored) ? 'nobody' : 'mine';
	if (!base) return 'both';
	if (isSame(base, mine)) return 'theirs';
	return isSame(base, stored) ? 'mine' : 'both';
}

function determineExpirySide({lifetime, base, mine}: PutProposal, stored: WholeKey): ChangeSide {
	const isChangedByThem = !base || !isSameExpiry(base, stored);
	if (lifetime === 'keep') return isChangedByThem ? 'theirs' : 'nobody';
	const {ttl, expiration}: Lifetime = lifetime === 'never' ? {} : lifetime;
	// A ttl counts from the write, so the stored expiry never matches it.
	if (ttl !== undefined) return isChangedByThem ? 'both' : 'mine';
	const {bytes, metadata} = mine;
	return determineSide(
		isSameExpiry,
		base,
		{bytes, metadata, ...(expiration !== undefined && {expiration})},
		stored,
	);
}

const hasSameMetadata = (one: Base, other: Base): boolean => isSameMetadata(one.metadata, other.metadata);
