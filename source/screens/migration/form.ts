import {Failure, isFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	parseConfiguration,
	parseConfigurationJson,
} from '../../migration/configuration/configuration.ts';
import {isComplete} from '../../migration/machine/states.ts';
import {getNextState} from '../../migration/machine/transitions.ts';
import type {Session} from '../../session/session.ts';
import {type DraftFormat, getDraftBytes, type NewDraft, withDraftBytes} from '../../state/drafts.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import {describeVersionMismatch, type FormCreator} from '../drafts/form.ts';
import {buildZoneTarget, formatTargetPlace} from '../drafts/place.ts';
import {buildZoneFields, getDraftZone} from '../drafts/zone.ts';
import {readSavedEdits, type SavedEdits, serializeEdits, toJsonObject} from '../managed-edit/saved-edits.ts';
import {readDialogException, type UnfinishedException} from '../managed-edit/unfinished-exception.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {describeRebase, hasUnreviewedEdits} from './messages.ts';
import {findLockFailure, isJournalOpen, type MigrationState} from './state.ts';

const form: DraftFormat = {kind: 'migration', version: 1};

/** Returns the id of the form of an open migration. */
export const getMigrationFormId = ({id}: Pick<MigrationState, 'id'>): string => `migration ${id}`;

/** The content of a draft. */
export type EditFields = SavedEdits & {
	/** Text saved in the editor that could not be parsed. */
	readonly unparsedText: MigrationState['unparsedText'];
	/** The proposal or the active rules that `start` was made from; `start` differs from it by a review. */
	readonly proposal: ManagedConfiguration;
};

type EditableMigration = MigrationState & {readonly configuration: ManagedConfiguration};

function buildMigrationDraft(
	migration: EditableMigration,
	state: StateWith<'connection' | 'migration'> &
		StateWith<'dialog', 'current'> &
		StateWith<'navigation', 'stack'>,
	session: Session,
	instance: string,
): NewDraft {
	const {zone, unparsedText, initialConfiguration} = migration;
	const draft: NewDraft = {
		form,
		target: buildZoneTarget(zone, session, state.connection.data),
		label: zone.name,
		key: 'configuration',
		instance,
		fields: {
			...buildZoneFields(zone),
			...serializeEdits(migration, getUnfinishedException(state)),
			...(initialConfiguration && {proposal: toJsonObject(initialConfiguration)}),
		},
	};
	return unparsedText ? withDraftBytes(draft, Buffer.from(unparsedText.text)) : draft;
}

/**
 * Builds the note that is stored beside the editor's file. If the process is killed, the next start finds
 * what was saved.
 */
export function buildEditorNote(
	state: StateWith<'migration' | 'connection'> &
		StateWith<'dialog', 'current'> &
		StateWith<'navigation', 'stack'>,
	session: Session,
	text: string,
): NewDraft | undefined {
	const migration = state.migration.data;
	if (!migration?.configuration) return undefined;
	const {configuration} = migration;
	return withDraftBytes(
		buildMigrationDraft({...migration, configuration, unparsedText: undefined}, state, session, 'editor'),
		Buffer.from(text),
	);
}

/**
 * Creates the form that keeps edits of a proposed configuration as a draft until they are reviewed. Reviews
 * are kept in the journal.
 */
export const createMigrationForm: FormCreator = (get, {session}) => ({
	kind: form.kind,
	getTrackedState: state => state.migration.data,
	listOpenForms(state) {
		const migration = state.migration.data;
		if (!migration?.configuration) return [];
		const unfinished = getUnfinishedException(state);
		const {edits, configuration, unparsedText} = migration;
		if (!hasUnreviewedEdits(migration) && !unfinished && !unparsedText) return [];
		return [
			{
				id: getMigrationFormId(migration),
				getContent: () =>
					JSON.stringify([edits.length, computeFingerprint(configuration), unfinished, unparsedText?.text]),
				isWorthKeeping: () => true,
				buildDraft: instance => buildMigrationDraft({...migration, configuration}, get(), session, instance),
			},
		];
	},
	offer(draft) {
		if (draft.form.version !== form.version) return describeVersionMismatch(draft);
		const zone = getDraftZone(draft, session);
		const fields = parseDraftFields(draft.fields);
		if (!zone || typeof fields === 'string') return zone ? String(fields) : 'It does not name a zone.';
		const {edits, unfinished, unparsedText} = fields;
		const name = `migration of ${zone.name}`;
		const contentSummary = [
			...(edits.length > 0 ? [formatQuantity(edits.length, 'edit')] : []),
			...(unfinished ? ['an exception'] : []),
			...(unparsedText ? ['text saved in the editor'] : []),
		].join(' and ');
		return {
			name,
			title: `The ${name}: ${contentSummary} not reviewed`,
			lines: ['Nothing was sent.', formatTargetPlace(draft.target, session.cwd)],
			restoreLabel: 'Resume',
			async restore() {
				if (!isEditable(get(), zone.id)) {
					await get().migration.open(zone);
					if (get().migration.data?.zone.id !== zone.id) return;
					get().navigation.openFromHome('migration');
					await get().migration.read();
				}
				const migration = get().migration.data;
				if (migration?.zone.id !== zone.id) return;
				const {configuration, record} = migration;
				if (isComplete(record.state)) {
					// The draft of a form that is not open is dropped.
					get().drafts.adopt(getMigrationFormId(migration), draft);
					get().drafts.noticeChange();
					return get().messages.warn(
						`The migration of ${zone.name} is complete: the draft no longer applies and was discarded.`,
					);
				}
				if (!configuration || !isEditable(get(), zone.id))
					throw (
						findLockFailure(migration) ??
						migration.failure ??
						new Failure('usage', `The configuration of ${zone.name} can't be edited now.`, {
							why: `Migration state: ${record.state}.`,
							left: `The edits are kept in ${draft.path}`,
						})
					);
				if (get().navigation.stack.at(-1) !== 'migration') get().navigation.go('migration');
				// From here on, earlier edits of this session are a separate draft.
				get().drafts.release(getMigrationFormId(migration));
				const lostEdits = get().migration.resumeEdits(fields);
				get().drafts.adopt(getMigrationFormId(migration), draft);
				const sentence = describeRebase(lostEdits, get().migration.data?.changesByOthers ?? []);
				if (sentence !== undefined) get().messages.warn(sentence);
				else if (unparsedText)
					get().messages.warn(
						`The text saved in the editor is not valid yet: press ${nameKey('migration.editor', 'E')} to keep editing it.`,
					);
				else if (unfinished)
					get().messages.say(
						`Your edits were restored; press ${nameKey('migration.edit-exception', 'a')} to finish the exception.`,
					);
			},
		};
	},
});

/**
 * Returns the unfinished exception: the one in the current dialog, or one that was restored and not continued
 * yet.
 */
const getUnfinishedException = (
	state: StateWith<'dialog', 'current'> & StateWith<'migration'> & StateWith<'navigation', 'stack'>,
): UnfinishedException | undefined =>
	(getCurrentScreen(state) === 'managed' ? undefined : readDialogException(state.dialog.current)) ??
	state.migration.data?.unfinished;

/** True if the current configuration can be edited and reviewed. */
function isEditable({migration: {data: migration}}: StateWith<'migration'>, zoneId: string): boolean {
	if (migration?.zone.id !== zoneId || !isJournalOpen(migration) || migration.phase.name !== 'asking')
		return false;
	return (
		migration.configuration !== undefined && getNextState(migration.record.state, 'review') !== undefined
	);
}

/**
 * Adds the text that was saved in the editor: as the last edit if it is a valid configuration, otherwise as
 * text.
 */
function withSavedText(fields: EditFields, savedBytes: Uint8Array): EditFields {
	const text = Buffer.from(savedBytes).toString();
	try {
		const configuration = parseConfiguration(text, 'The text saved in the editor');
		const edits = [...fields.edits, {edit: 'by hand' as const, before: fields.configuration}];
		return {...fields, edits, configuration};
	} catch (error) {
		if (isFailure(error)) return {...fields, unparsedText: {text}};
		throw error;
	}
}

/** Parses the fields of a draft. Returns an error message if that fails. */
function parseDraftFields(fields: JsonObject): EditFields | string {
	const savedEdits = readSavedEdits(fields);
	if (typeof savedEdits === 'string') return savedEdits;
	const proposal = parseProposal(fields) ?? savedEdits.start;
	const allFields = {...savedEdits, proposal, unparsedText: undefined};
	return typeof fields.base64 === 'string' ? withSavedText(allFields, getDraftBytes({fields})) : allFields;
}

/** Parses the proposal of a draft. Undefined if an earlier version of ledge saved the draft without it. */
function parseProposal({proposal}: JsonObject): ManagedConfiguration | undefined {
	try {
		return proposal === undefined ? undefined : parseConfigurationJson(proposal, 'The proposal');
	} catch {
		return undefined;
	}
}
