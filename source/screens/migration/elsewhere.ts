import {asFailure} from '../../failure.ts';
import {
	type Configuration,
	parseConfiguration,
	requestBody,
} from '../../migration/configuration/configuration.ts';
import {openEditorFolder} from '../../state/editor-folders.ts';
import type {MigrationContext} from './context.ts';
import {editorNote} from './form.ts';
import type {MigrationState} from './state.ts';

/** Changing the raw configuration in the person's own editor. */
export type MigrationElsewhere = {
	/**
	 * Lends the terminal to the person's editor, with the raw configuration (decision 28). What was saved there and could
	 * not be taken is kept, and can be gone on with.
	 */
	editMigrationElsewhere(handOver: HandOver): Promise<void>;
};

type HandOver = <T>(work: () => Promise<T>) => Promise<T>;

/** `editable` gives what can be edited now; `take` shows another in its place. */
export function createMigrationElsewhere(
	{get, change, opened, ports}: MigrationContext,
	editable: () => {readonly id: number; readonly configuration: Configuration} | undefined,
	take: (id: number, before: Configuration, after: Configuration) => void,
): MigrationElsewhere {
	async function edit(handOver: HandOver, from?: MigrationState['left']): Promise<void> {
		const {id, configuration: before} = editable() ?? {};
		if (id === undefined || !before) return;
		const text = from?.text ?? `${JSON.stringify(requestBody(before), undefined, '  ')}\n`;
		// What was kept is not written over by a text that was not made of it.
		const file =
			from?.file ?? `edited-${new Date(ports.now()).toISOString().slice(0, 19).replaceAll(':', '')}Z.json`;
		const keep = (saved: Uint8Array): string | undefined => {
			const left = {text: Buffer.from(saved).toString(), file};
			change(id, {left});
			const path = opened()?.flow.journal.keepText(file, left.text);
			return path && `It is kept in ${path}; E goes on with it.`;
		};
		await get().run('editing in $EDITOR', 'read', async signal => {
			const {editBytes} = await import('../../terminal/editor.ts');
			const note = editorNote(get(), ports.session, text);
			const folder = note && openEditorFolder(ports.session.env, note, ports.now()).folder;
			const saved = await handOver(() =>
				editBytes(Buffer.from(text), ports.session.env, {folder, signal, rescue: keep}),
			);
			let after: Configuration;
			try {
				after = parseConfiguration(Buffer.from(saved).toString(), 'What was saved in the editor');
			} catch (error) {
				throw asFailure(error).with({left: keep(saved)});
			}
			if (get().migration?.left === from) change(id, {left: undefined});
			take(id, before, after);
		});
	}

	return {
		async editMigrationElsewhere(handOver) {
			const from = get().migration?.left;
			if (!editable() || !from) return edit(handOver);
			get().open({
				kind: 'choice',
				title: 'What is edited?',
				lines: ['What was saved last could not be taken.'],
				choices: [
					{value: 'left', label: 'What was saved last, to put it right'},
					{value: 'now', label: 'The configuration as it stands'},
				],
				choose: value => void edit(handOver, value === 'left' ? from : undefined),
			});
		},
	};
}
