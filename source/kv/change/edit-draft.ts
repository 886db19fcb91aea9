import {nullable, number, picklist, string, union} from 'valibot';
import {base64Of, bytesIn, type Draft, keyForm, type NewDraft} from '../../state/drafts.ts';
import type {JsonValue} from '../../text/json.ts';
import {fields, jsonValue, lenient, parseOrUndefined} from '../../text/schema.ts';
import type {LifetimeChoice, Origin} from './proposal.ts';
import type {KeyDigest} from './whole-key.ts';

const origins = ['edit', 'create', 'metadata', 'expiry'] as const satisfies readonly Origin[];

/** An edit that was not saved, as a draft keeps it: enough to go on typing, and to see whether the key changed meanwhile. */
export type UnsavedEdit = Pick<NewDraft, 'target' | 'label' | 'key'> & {
	readonly origin: (typeof origins)[number];
	readonly base: KeyDigest | undefined;
	/** What is in the editor: the value, or the text of the metadata or of the expiry, finished or not. */
	readonly content: Uint8Array;
	/** What else is to be written, as far as it was chosen before. */
	readonly metadata: JsonValue;
	readonly lifetime: LifetimeChoice;
};

export function draftOf({
	target,
	label,
	key,
	content,
	origin,
	base,
	metadata,
	lifetime,
}: UnsavedEdit): NewDraft {
	const own = {origin, base: base ?? null, metadata, lifetime, base64: base64Of(content)};
	return {form: keyForm, target, label, key, instance: '', fields: own};
}

/** What `draftOf` puts into the fields, beside the bytes. */
const editFields = fields({
	origin: picklist(origins),
	base: nullable(
		fields({
			digest: string(),
			metadata: jsonValue,
			expiration: lenient(number()),
			expirationWithin: lenient(number()),
		}),
	),
	metadata: jsonValue,
	lifetime: union([picklist(['keep', 'never']), fields({ttl: number()}), fields({expiration: number()})]),
});

/** The edit that a draft holds, `undefined` if this ledge does not know it. */
export function editOf(draft: Draft): UnsavedEdit | undefined {
	const {form, target, label, key} = draft;
	const isKnown = form.kind === keyForm.kind && form.version === keyForm.version;
	const edit = isKnown ? parseOrUndefined(editFields, draft.fields) : undefined;
	return edit && {...edit, target, label, key, content: bytesIn(draft), base: edit.base ?? undefined};
}
