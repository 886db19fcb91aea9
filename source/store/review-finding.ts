import {expiryText} from '../kv/change/lifetime-input.ts';
import {type Checked, lifetimeToWrite, type Proposal, type PutProposal} from '../kv/change/proposal.ts';
import {type Part, rebase} from '../kv/change/rebase.ts';
import {isSameMetadata, type WholeKey} from '../kv/change/whole-key.ts';
import {counted} from '../text/figures.ts';
import {mergeJson} from '../text/json-merge.ts';
import type {JsonPath} from '../text/json-tree-nodes.ts';
import {pathText} from './key-tree.ts';
import {type Difference, differenceOf, type Pause} from './review-difference.ts';

/** Whether what someone else wrote and what is proposed go together. */
export type MergeOffer =
	| {readonly type: 'possible'; readonly proposal: PutProposal; readonly label: string}
	| {readonly type: 'impossible'; readonly why: string};

/** What a check found, made ready to be shown. */
export type Finding = {
	readonly checked: Checked;
	/** When it was found, in milliseconds since the epoch. */
	readonly at: number;
	readonly difference: Difference;
	/** Only where someone wrote meanwhile. */
	readonly merge: MergeOffer | undefined;
};

/** What a check found at a moment (milliseconds since the epoch), with all that a person needs to decide. */
export async function findingOf(
	proposal: Proposal,
	checked: Checked,
	at: number,
	pause: Pause,
): Promise<Finding> {
	const {stored} = checked;
	const base = checked.type === 'unchanged' ? undefined : proposal.base;
	const isForeign = checked.type === 'changed' || checked.type === 'appeared';
	const difference = await differenceOf({base, stored, mine: proposal.mine}, pause);
	await pause();
	const merge = isForeign && proposal.kind === 'put' ? mergeOf(proposal, checked.stored) : undefined;
	return {checked, at, difference, merge};
}

function mergeOf(proposal: PutProposal, stored: WholeKey): MergeOffer {
	const plain = rebase(proposal, stored);
	if (plain.type === 'rebased') {
		const {theirs} = plain;
		const label = `Merge: keep the stored ${theirs.map(part => partNames[part]).join(' and ')}, write yours`;
		return {type: 'possible', proposal: plain.proposal, label};
	}
	const {parts} = plain;
	const both = `Both changed the ${parts.map(part => partNames[part]).join(' and the ')}.`;
	const {base, mine} = proposal;
	if (parts.some(part => part !== 'value') || !base || !('bytes' in base))
		return {type: 'impossible', why: both};
	const [first, theirs, ours] = [base, stored, mine].map(({bytes}) => Buffer.from(bytes).toString('utf8'));
	const merged = mergeJson(first ?? '', theirs ?? '', ours ?? '');
	switch (merged.kind) {
		case 'not json':
			return {type: 'impossible', why: both};
		case 'conflict':
			return {type: 'impossible', why: `Both changed ${pathsText(merged.paths)}.`};
		case 'merged': {
			const combined = rebase(proposal, stored, Buffer.from(merged.text));
			if (combined.type === 'conflict') return {type: 'impossible', why: both};
			const label = `Merge: keep the stored ${pathsText(merged.taken)}, write your ${pathsText(merged.kept)}`;
			return {type: 'possible', proposal: combined.proposal, label};
		}
		default:
			return merged satisfies never;
	}
}

const partNames: Readonly<Record<Part, string>> = {value: 'value', metadata: 'metadata', expiry: 'expiry'};

/** Places in JSON as a person reads them, the first few. */
function pathsText(paths: readonly JsonPath[]): string {
	const names = paths
		.slice(0, 3)
		.map(path => (path.length === 0 ? 'whole value' : pathText(path).replace(/^\$\.?/, '')));
	return `${names.join(', ')}${paths.length > names.length ? ` and ${paths.length - names.length} more` : ''}`;
}

/** What else becomes of the key, one sentence each: expiry, metadata, bytes. `now` in UNIX seconds. */
export function consequences(
	proposal: Proposal,
	stored: WholeKey | undefined,
	now: number,
): readonly string[] {
	const before = stored?.expiration;
	if (proposal.kind === 'delete') {
		return stored
			? [
					before === undefined ? 'no expiry' : `expiry ${expiryText(before, now)}`,
					metadataText(stored.metadata),
					counted(stored.bytes.length, 'byte'),
				]
			: [];
	}
	const {ttl, expiration} = lifetimeToWrite(proposal, stored);
	const after = ttl === undefined ? expiration : now + ttl;
	const {metadata, bytes} = proposal.mine;
	const stays = stored !== undefined && isSameMetadata(stored.metadata, metadata);
	return [
		expirySentence(before, after, stored !== undefined, now),
		stays || !stored
			? metadataText(metadata, stays)
			: `metadata ${jsonText(stored.metadata)} becomes ${jsonText(metadata)}`,
		stored && stored.bytes.length !== bytes.length
			? `${counted(bytes.length, 'byte')}, now ${counted(stored.bytes.length, 'byte')}`
			: counted(bytes.length, 'byte'),
	];
}

function expirySentence(
	before: number | undefined,
	after: number | undefined,
	isThere: boolean,
	now: number,
): string {
	if (before === after) return after === undefined ? 'no expiry' : `expiry stays ${expiryText(after, now)}`;
	const becomes = after === undefined ? 'none' : expiryText(after, now);
	if (!isThere) return `expiry ${becomes}`;
	return `expiry ${before === undefined ? 'none' : expiryText(before, now)} becomes ${becomes}`;
}

const jsonText = (metadata: WholeKey['metadata']): string =>
	metadata === null ? 'none' : JSON.stringify(metadata);

const metadataText = (metadata: WholeKey['metadata'], stays = false): string =>
	metadata === null ? 'no metadata' : `metadata ${stays ? 'stays ' : ''}${JSON.stringify(metadata)}`;
