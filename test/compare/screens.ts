import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Place, places} from '../screens/support/every-place.ts';
import {Screen} from '../terminal/screen/screen.ts';
import {createHome, sameRun, steady} from './commands.ts';

/** How long the reader of a review has to have seen it before a key counts (milliseconds). */
const looking = 1000;

const sizes = [
	[80, 24],
	[200, 60],
] as const;

/** Goes to a place with that program and returns what is shown there at both sizes. */
async function visit(program: string, {zone, keys, shows}: Place): Promise<string> {
	const home = createHome();
	const [[columns, rows], ...others] = sizes;
	const words = ['--simulate', ...(zone === undefined ? [] : ['--zone', zone])];
	await using screen = new Screen({
		command: [process.execPath, program, ...words],
		cwd: home.folder,
		env: sameRun(home.folder),
		columns,
		rows,
	});
	const frames: string[] = [];
	const keep = () => frames.push(steady(screen.text(), home.folder));
	try {
		await screen.settled('Acme (simulated)', {quiet: 300});
		for (const key of keys) {
			if (typeof key === 'string') screen.press(key);
			await screen.settled(typeof key === 'string' ? undefined : key, {quiet: looking});
		}
		await screen.settled(shows, {quiet: looking});
		keep();
		for (const [columns, rows] of others) {
			await screen.resize(columns, rows);
			await screen.waitFor(shown => shown.line(1) === '─'.repeat(columns));
			await screen.settled(shows, {quiet: looking});
			keep();
		}
	} catch (error) {
		frames.push(String(error));
	} finally {
		home.remove();
	}
	return `${frames.join('\n\n')}\n`;
}

/** Writes what the screens of those names show; returns how many that are. */
export async function recordScreens(program: string, folder: string, only: RegExp): Promise<number> {
	const chosen = Object.entries(places).filter(([name]) => only.test(name));
	// They wait more than they work.
	const left = [...chosen];
	const visitor = async () => {
		for (let next = left.shift(); next; next = left.shift()) {
			const [name, place] = next;
			writeFileSync(join(folder, `screen ${name}.txt`), await visit(program, place));
		}
	};
	await Promise.all(Array.from({length: 6}, visitor));
	return chosen.length;
}
