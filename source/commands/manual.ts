import {Argument} from 'commander';
import {exitCodes} from '../failure.ts';
import {areas, manPages} from '../manual/pages.ts';
import {readablePage} from '../manual/readable-page.ts';
import {defineCommand, switchOption} from './shell/declare.ts';

/** Maximum width of the manual, in columns, for readability. */
const widest = 100;

/** `ledge man`: the man pages, for systems where `man` is missing or cannot find them. */
export const manualCommand = defineCommand({
	usage: 'man',
	summary: 'print the manual, or the page of one area',
	example: 'man kv | less',
	argument: () => new Argument('[area]', 'which page').choices(areas),
	isOffline: true,
	sample: 'kv',
	options: () => [switchOption('--roff', 'print the source, for `man`: `ledge man --roff > ledge.1`')],
	withoutContexts: true,
	async run({output}, {roff}, area) {
		const {createProgram} = await import('./program.ts');
		const pages = manPages({...(await createProgram()), version: LEDGE_VERSION, exitCodes});
		const page = pages[area === undefined ? 'ledge.1' : `ledge-${area}.1`] ?? '';
		await output.text(roff ? page : readablePage(page, Math.min(output.columns, widest)));
	},
});
