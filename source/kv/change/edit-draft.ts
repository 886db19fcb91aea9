import {nullable, number, picklist, string, union} from 'valibot';
import {type Draft, getDraftBytes, keyForm, type NewDraft, toBase64} from '../../state/drafts.ts';
import type {JsonValue} from '../../text/json.ts';
import {ignoreInvalid, jsonValue, parseOrUndefined, pickFields} from '../../text/schema.ts';
import type {ChangeOrigin, LifetimeChoice} from './proposal.ts';
import type {KeyDigest} from './whole-key.ts';

const origins = ['edit', 'create', 'metadata', 'expiry'] as const satisfies readonly ChangeOrigin[];

/**
 * An unsaved edit as a draft stores it: enough to continue typing, and to see whether the key has changed.
 */
export type UnsavedEdit = Pick<NewDraft, 'target' | 'label' | 'key'> & {
	readonly origin: (typeof origins)[number];
	readonly base: KeyDigest | undefined;
	/** Editor content: the value, or the text of the metadata or expiry, possibly incomplete. */
	readonly content: Uint8Array;
	/** Other parts to write, as chosen so far. */
	readonly metadata: JsonValue;
	readonly lifetime: LifetimeChoice;
};

export function toEditDraft({
	target,
	label,
	key,
	content,
	origin,
	base,
	metadata,
	lifetime,
}: UnsavedEdit): NewDraft {
	const fields = {origin, base: base ?? null, metadata, lifetime, base64: toBase64(content)};
	return {form: keyForm, target, label, key, instance: '', fields};
}

/** The fields that `toEditDraft` writes, besides the bytes. */
const editFields = pickFields({
	origin: picklist(origins),
	base: nullable(
		pickFields({
			digest: string(),
			metadata: jsonValue,
			expiration: ignoreInvalid(number()),
			expirationWithin: ignoreInvalid(number()),
		}),
	),
	metadata: jsonValue,
	lifetime: union([
		picklist(['keep', 'never']),
		pickFields({ttl: number()}),
		pickFields({expiration: number()}),
	]),
});

/** Parses the edit in a draft; undefined if this version does not know it. */
export function parseEditDraft(draft: Draft): UnsavedEdit | undefined {
	const {form, target, label, key} = draft;
	const isKnown = form.kind === keyForm.kind && form.version === keyForm.version;
	const edit = isKnown ? parseOrUndefined(editFields, draft.fields) : undefined;
	return edit && {...edit, target, label, key, content: getDraftBytes(draft), base: edit.base ?? undefined};
}
