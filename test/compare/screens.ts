import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Place, places} from '../screens/support/every-place.ts';
import {Screen} from '../terminal/screen/screen.ts';
import {createHome, createRepeatableEnvironment, maskRunDetails} from './commands.ts';

/** Milliseconds for which a review has to be visible before a key counts. */
const reviewMs = 1000;

const sizes = [
	[80, 24],
	[200, 60],
] as const;

/** Goes to a place with that program and returns what is shown there at both sizes. */
async function visit(program: string, {zone, keys, shows}: Place): Promise<string> {
	const home = createHome();
	const [[columns, rows], ...otherSizes] = sizes;
	const words = ['--simulate', ...(zone === undefined ? [] : ['--zone', zone])];
	await using screen = new Screen({
		command: [process.execPath, program, ...words],
		cwd: home.folder,
		env: createRepeatableEnvironment(home.folder),
		columns,
		rows,
	});
	const frames: string[] = [];
	const keepFrame = () => frames.push(maskRunDetails(screen.text(), home.folder));
	try {
		await screen.settled('Acme (simulated)', {quiet: 300});
		for (const key of keys) {
			if (typeof key === 'string') screen.press(key);
			await screen.settled(typeof key === 'string' ? undefined : key, {quiet: reviewMs});
		}
		await screen.settled(shows, {quiet: reviewMs});
		keepFrame();
		for (const [columns, rows] of otherSizes) {
			await screen.resize(columns, rows);
			await screen.waitFor(shown => shown.line(1) === '─'.repeat(columns));
			await screen.settled(shows, {quiet: reviewMs});
			keepFrame();
		}
	} catch (error) {
		frames.push(String(error));
	} finally {
		home.remove();
	}
	return `${frames.join('\n\n')}\n`;
}

/** Writes what the screens with matching names show to `folder`. Returns the number of screens. */
export async function recordScreens(program: string, folder: string, namePattern: RegExp): Promise<number> {
	const chosen = Object.entries(places).filter(([name]) => namePattern.test(name));
	// Several at a time, since they mostly wait.
	const remaining = [...chosen];
	const visitor = async () => {
		for (let next = remaining.shift(); next; next = remaining.shift()) {
			const [name, place] = next;
			writeFileSync(join(folder, `screen ${name}.txt`), await visit(program, place));
		}
	};
	await Promise.all(Array.from({length: 6}, visitor));
	return chosen.length;
}
