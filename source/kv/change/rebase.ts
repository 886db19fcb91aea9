import type {Lifetime} from '../store.ts';
import type {PutProposal} from './proposal.ts';
import {type Base, isSameExpiry, isSameMetadata, isSameValue, type WholeKey} from './whole-key.ts';

export type Part = 'value' | 'metadata' | 'expiry';

/** A change applied to what is stored now, or the parts that both sides changed differently. */
type Rebased =
	| {
			readonly type: 'rebased';
			readonly proposal: PutProposal;
			/** Parts that someone else changed, which stay as stored. */
			readonly theirs: readonly Part[];
	  }
	| {readonly type: 'conflict'; readonly parts: readonly Part[]};

/**
 * Applies a change to what is stored now (if `checkProposal` returns `changed` or `appeared`): untouched
 * parts are as stored, touched ones are mine. If both sides changed the value, pass `merged`; otherwise it is
 * a conflict.
 */
export function rebase(proposal: PutProposal, stored: WholeKey, merged?: Uint8Array): Rebased {
	const {base, mine, lifetime} = proposal;
	const whose: Record<Part, Whose> = {
		value: merged ? 'mine' : whoseChange(isSameValue, base, mine, stored),
		metadata: whoseChange(isSameMetadataOf, base, mine, stored),
		expiry: whoseExpiry(lifetime, base, stored),
	};
	const parts = Object.keys(whose) as Part[];
	const conflicts = parts.filter(part => whose[part] === 'both');
	if (conflicts.length > 0) return {type: 'conflict', parts: conflicts};
	return {
		type: 'rebased',
		theirs: parts.filter(part => whose[part] === 'theirs'),
		proposal: {
			...proposal,
			base: stored,
			mine: {
				bytes: merged ?? (whose.value === 'mine' ? mine : stored).bytes,
				metadata: (whose.metadata === 'mine' ? mine : stored).metadata,
			},
		},
	};
}

type Whose = 'nobody' | 'mine' | 'theirs' | 'both';

function whoseChange(
	isSame: (one: Base, other: Base) => boolean,
	base: Base | undefined,
	mine: WholeKey,
	stored: WholeKey,
): Whose {
	if (isSame(mine, stored)) return base && isSame(base, stored) ? 'nobody' : 'mine';
	if (!base) return 'both';
	if (isSame(base, mine)) return 'theirs';
	return isSame(base, stored) ? 'mine' : 'both';
}

function whoseExpiry(lifetime: PutProposal['lifetime'], base: Base | undefined, stored: WholeKey): Whose {
	const byThem = !base || !isSameExpiry(base, stored);
	if (lifetime === 'keep') return byThem ? 'theirs' : 'nobody';
	if (!byThem) return 'mine';
	const {ttl, expiration}: Lifetime = lifetime === 'never' ? {} : lifetime;
	// A ttl counts from the write, so the stored expiry never matches it.
	return ttl === undefined && expiration === stored.expiration ? 'mine' : 'both';
}

const isSameMetadataOf = (one: Base, other: Base): boolean => isSameMetadata(one.metadata, other.metadata);
