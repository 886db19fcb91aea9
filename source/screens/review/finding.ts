import {nameKey} from '../../keyboard/named-keys.ts';
import {formatExpiry} from '../../kv/change/lifetime-input.ts';
import {
	findExpiryQuestion,
	getLifetimeToWrite,
	type Proposal,
	type ProposalCheck,
	type PutProposal,
} from '../../kv/change/proposal.ts';
import {type KeyPart, rebaseProposal} from '../../kv/change/rebase.ts';
import {isSameMetadata, type WholeKey} from '../../kv/change/whole-key.ts';
import {listWriteWarnings} from '../../kv/change/write-warnings.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {type JsonChange, type JsonConflict, type JsonNodeRef, mergeJson} from '../../text/json/merge.ts';
import {formatJsonSummary} from '../../text/json/tree.ts';
import {maxJsonSize} from '../../text/json/tree-nodes.ts';
import type {Steps} from '../../text/steps.ts';
import {formatJsonPath} from '../key/tree.ts';
import {computeDifference, type Difference} from './difference.ts';

/** The merge with what others wrote, or the reason why there is none. */
type MergeOffer =
	| {
			readonly type: 'possible';
			readonly proposal: PutProposal;
			readonly label: string;
			/** What each side changed, and so what the merge contains. */
			readonly summary: readonly string[];
	  }
	| {readonly type: 'impossible'; readonly why: string};

/** The result of a check, prepared for the review. */
export type Finding = {
	readonly check: ProposalCheck;
	readonly difference: Difference;
	/** Undefined unless others have changed the key. */
	readonly mergeOffer: MergeOffer | undefined;
	/** Likely mistakes in the proposal, from `listWriteWarnings`. */
	readonly warnings: readonly string[];
};

/** Computes everything needed to decide on a change. */
export function* computeFinding(proposal: Proposal, check: ProposalCheck): Steps<Finding> {
	const {stored} = check;
	const base = check.type === 'unchanged' ? undefined : proposal.base;
	const isChangedByOthers = check.type === 'changed' || check.type === 'appeared';
	const difference = yield* computeDifference({base, stored, mine: proposal.mine});
	const mergeOffer =
		isChangedByOthers && proposal.kind === 'put'
			? yield* computeMergeOffer(proposal, check.stored)
			: undefined;
	const warnings = yield* listWriteWarnings(proposal, stored);
	return {check, difference, mergeOffer, warnings};
}

const decodeUtf8 = ({buffer, byteOffset, byteLength}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

function* computeMergeOffer(proposal: PutProposal, stored: WholeKey): Steps<MergeOffer> {
	const isUndo = proposal.origin === 'undo';
	const rebaseResult = rebaseProposal(proposal, stored);
	if (rebaseResult.type === 'rebased') {
		const {theirParts, myParts} = rebaseResult;
		const label = `Merge: ${[
			...(theirParts.length > 0 ? [`keep the stored ${formatParts(theirParts)}`] : []),
			...(myParts.length > 0
				? [`${isUndo ? 'restore the earlier' : 'write my'} ${formatParts(myParts)}`]
				: []),
		].join(', ')}`;
		return {type: 'possible', proposal: rebaseResult.proposal, label, summary: []};
	}
	const {parts, theirParts: otherParts} = rebaseResult;
	const conflictReason = [
		`${isUndo ? 'The undo' : 'Your change'} would replace a newer ${formatParts(parts)}`,
		parts.includes('expiry') && stored.expiration === undefined ? ' (now none).' : '.',
		otherParts.length > 0 ? ` Also changed since: ${formatParts(otherParts)}.` : '',
	].join('');
	const {base, mine} = proposal;
	if (parts.some(part => part !== 'value') || !base || !('bytes' in base))
		return {type: 'impossible', why: conflictReason};
	const texts: string[] = [];
	for (const {bytes} of [base, stored, mine]) {
		if (bytes.length > maxJsonSize) return {type: 'impossible', why: conflictReason};
		yield;
		texts.push(decodeUtf8(bytes));
	}
	yield;
	const [baseText = '', storedText = '', proposedText = ''] = texts;
	const mergeResult = yield* mergeJson(baseText, storedText, proposedText);
	switch (mergeResult.kind) {
		case 'not json':
			return {type: 'impossible', why: conflictReason};
		case 'conflict':
			return {
				type: 'impossible',
				why: `No merge, because both sides changed ${formatFirst(mergeResult.conflicts, formatConflict)}.`,
			};
		case 'merged': {
			const combinedResult = rebaseProposal(proposal, stored, Buffer.from(mergeResult.text));
			if (combinedResult.type === 'conflict') return {type: 'impossible', why: conflictReason};
			return {
				type: 'possible',
				proposal: combinedResult.proposal,
				label: isUndo ? 'Merge: keep their changes, undo mine' : 'Merge: keep their changes and mine',
				summary: [
					'A merge has the changes of both sides:',
					`theirs  ${formatFieldChanges(mergeResult.theirChanges, combinedResult.theirParts)}`,
					`${isUndo ? 'undo ' : 'yours'}   ${formatFieldChanges(mergeResult.myChanges, combinedResult.myParts)}`,
				],
			};
		}
		default:
			return mergeResult satisfies never;
	}
}

const partNames: Readonly<Record<KeyPart, string>> = {
	value: 'value',
	metadata: 'metadata',
	expiry: 'expiration',
};

const formatParts = (parts: readonly KeyPart[]): string => parts.map(part => partNames[part]).join(' and ');

function formatFieldPath({nodes, node}: JsonNodeRef): string {
	const path = nodes.path(node);
	return path.length === 0 ? 'the whole value' : formatJsonPath(path).replace(/^\$\.?/, '');
}

/** Formats the first three changes of fields, the number of others, and the parts changed besides the value. */
function formatFieldChanges(changes: readonly JsonChange[], parts: readonly KeyPart[]): string {
	const otherParts = parts.filter(part => part !== 'value');
	const fields = formatFirst(changes, formatFieldChange);
	return otherParts.length > 0 ? `${fields}; also the ${formatParts(otherParts)}` : fields;
}

function formatFieldChange({before, after}: JsonChange): string {
	if (!before) return `${formatFieldPath(after)} added: ${formatField(after)}`;
	const path = formatFieldPath(before);
	return after
		? `${path}: ${formatField(before)} → ${formatField(after)}`
		: `${path} deleted (was ${formatField(before)})`;
}

const formatConflict = ({place, theirs, mine}: JsonConflict): string =>
	`${formatFieldPath(place)} (theirs ${theirs ? formatField(theirs) : 'deleted'}, yours ${mine ? formatField(mine) : 'deleted'})`;

const formatField = ({nodes, node}: JsonNodeRef): string =>
	cutEnd(toDrawable(formatJsonSummary(nodes, node)), 30);

/** Formats the first three items and the number of others. */
function formatFirst<Item>(items: readonly Item[], format: (item: Item) => string): string {
	const shownItems = items.slice(0, 3).map(format);
	const hiddenCount = items.length - shownItems.length;
	return `${shownItems.join('; ')}${hiddenCount > 0 ? ` and ${formatInteger(hiddenCount)} more` : ''}`;
}

/** Lists what happens to the key besides its value: expiry, metadata, bytes. `now` in UNIX seconds. */
export function listConsequences(
	proposal: Proposal,
	stored: WholeKey | undefined,
	now: number,
): readonly string[] {
	const previousExpiration = stored?.expiration;
	if (proposal.kind === 'delete') {
		return stored
			? [
					previousExpiration === undefined
						? 'no expiration'
						: `expiration ${formatExpiry(previousExpiration, now)}`,
					formatMetadataState(stored.metadata),
					formatQuantity(stored.bytes.length, 'byte'),
				]
			: [];
	}
	const {ttl, expiration} = getLifetimeToWrite(proposal, stored);
	const newExpiration = ttl === undefined ? expiration : now + ttl;
	const {metadata, bytes} = proposal.mine;
	const keepsMetadata = stored !== undefined && isSameMetadata(stored.metadata, metadata);
	const isExpiryAsked = findExpiryQuestion(proposal, now, stored) !== undefined;
	return [
		...(isExpiryAsked
			? []
			: [formatExpiryChange(previousExpiration, newExpiration, stored !== undefined, now)]),
		keepsMetadata || !stored
			? formatMetadataState(metadata, keepsMetadata)
			: `metadata ${formatJson(stored.metadata)} becomes ${formatJson(metadata)}`,
		stored && stored.bytes.length !== bytes.length
			? `${formatInteger(stored.bytes.length)} → ${formatQuantity(bytes.length, 'byte')}`
			: formatQuantity(bytes.length, 'byte'),
	];
}

function formatExpiryChange(
	before: number | undefined,
	after: number | undefined,
	exists: boolean,
	now: number,
): string {
	if (before === after)
		return after === undefined ? 'no expiration' : `expiration stays ${formatExpiry(after, now)}`;
	const newExpiry = after === undefined ? 'none' : formatExpiry(after, now);
	if (!exists) return `expiration ${newExpiry}`;
	return `expiration ${before === undefined ? 'none' : formatExpiry(before, now)} becomes ${newExpiry}`;
}

const formatJson = (metadata: WholeKey['metadata']): string =>
	metadata === null ? 'none' : JSON.stringify(metadata);

const formatMetadataState = (metadata: WholeKey['metadata'], isUnchanged = false): string =>
	metadata === null
		? 'no metadata'
		: `metadata ${isUnchanged ? 'stays ' : ''}${JSON.stringify(metadata)}${isUnchanged ? ` (${nameKey('edit.metadata', 'm')} edits it separately)` : ''}`;
