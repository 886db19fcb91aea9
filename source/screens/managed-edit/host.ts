import type {Configuration} from '../../migration/configuration/configuration.ts';
import type {Edit} from '../../migration/configuration/edits.ts';
import {rulesetName} from '../../migration/configuration/mapping.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Has} from '../../store/ledge-store.ts';
import {screenOf} from '../shell/screen-name.ts';
import type {UnfinishedException} from './unfinished-exception.ts';

/** A managed rule and its name, which is empty where it is unknown. */
export type KnownRule = {readonly id: string; readonly name: string};

/** A configuration of managed rules that is edited on the screen in front, and what changes it there. */
export type ManagedEditor = {
	readonly configuration: Configuration;
	/** What the editing began with: the ids in it are taken, whatever `managed` holds. */
	readonly begun: Configuration | undefined;
	/** The managed rulesets of the zone; `undefined` where they could not be read. */
	readonly managed: readonly ManagedContents[] | undefined;
	/** That of the zone. */
	readonly plan: MigrationZone['plan'];
	/** In the rows of the editor. */
	readonly cursor: number;
	/** An exception that a draft restored and that was not continued yet. */
	readonly unfinished: UnfinishedException | undefined;
	/** The rules of a managed ruleset by other names than those of `managed`, which does not have it. */
	rulesOtherwise(ruleset: string): readonly KnownRule[];
	apply(edit: Edit): void;
	move(by: number): void;
	/** The unfinished exception is resumed, or discarded. */
	forgetUnfinished(): void;
};

/** The editor of the screen in front. */
export const editorOf = (
	state: Has<'managed' | 'migration', 'editor'> & Has<'navigation', 'stack'>,
): ManagedEditor | undefined =>
	screenOf(state) === 'managed' ? state.managed.editor() : state.migration.editor();

/** How a managed ruleset is called; by its id where nobody knows it. Raw text of data. */
export function rulesetIn(editor: Pick<ManagedEditor, 'managed'> | undefined, id: string): string {
	const name = rulesetName(id);
	return name === id ? (editor?.managed?.find(one => one.id === id)?.name ?? id) : name;
}
