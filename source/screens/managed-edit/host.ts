import type {Configuration} from '../../migration/configuration/configuration.ts';
import type {Edit} from '../../migration/configuration/edits.ts';
import {rulesetName} from '../../migration/configuration/mapping.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Has} from '../../store/ledge-store.ts';
import {screenOf} from '../shell/screen-name.ts';
import type {UnfinishedException} from './unfinished-exception.ts';

/** A managed rule and its name; the name is empty if unknown. */
export type KnownRule = {readonly id: string; readonly name: string};

/** The editor of managed rules on the screen in front. */
export type ManagedEditor = {
	readonly configuration: Configuration;
	/** The initial configuration; its ids are accepted even if `managed` lacks them. */
	readonly begun: Configuration | undefined;
	/** The managed rulesets of the zone; undefined if they could not be read. */
	readonly managed: readonly ManagedContents[] | undefined;
	/** The plan of the zone. */
	readonly plan: MigrationZone['plan'];
	/** Index in the rows of the editor. */
	readonly cursor: number;
	/** An exception restored from a draft and not continued yet. */
	readonly unfinished: UnfinishedException | undefined;
	/** Returns rules of a managed ruleset with names from another source, if `managed` does not have it. */
	rulesOtherwise(ruleset: string): readonly KnownRule[];
	apply(edit: Edit): void;
	move(by: number): void;
	/** Drops the unfinished exception, once it is resumed or discarded. */
	forgetUnfinished(): void;
};

/** Returns the editor of the screen in front. */
export const editorOf = (
	state: Has<'managed' | 'migration', 'editor'> & Has<'navigation', 'stack'>,
): ManagedEditor | undefined =>
	screenOf(state) === 'managed' ? state.managed.editor() : state.migration.editor();

/** Returns the name of a managed ruleset, or its id if unknown. Raw text. */
export function rulesetIn(editor: Pick<ManagedEditor, 'managed'> | undefined, id: string): string {
	const name = rulesetName(id);
	return name === id ? (editor?.managed?.find(one => one.id === id)?.name ?? id) : name;
}
