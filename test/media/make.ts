// `npm run media`: the pictures in media/, recorded from the built program.
//   NAME …         only these scenes
//   --check        writes nothing; fails if a picture is stale
//   --png FOLDER   writes each of their shots as PNG too, to look at them
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {png} from './png.ts';
import {record} from './record.ts';
import {scenes} from './scenes.ts';
import {drawFrame} from './svg.ts';
import {themes} from './theme.ts';

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {check: {type: 'boolean', default: false}, png: {type: 'string'}},
});
const folder = resolve(import.meta.dirname, '../../media');
const unknown = positionals.filter(name => !scenes.some(scene => scene.name === name));
if (unknown.length > 0) throw new Error(`no scene is called ${unknown.join(', ')}`);

for (const scene of scenes.filter(({name}) => positionals.length === 0 || positionals.includes(name))) {
	const recorded = await record(scene);
	for (const theme of themes) {
		const {svg, shots} = recorded[theme.name];
		const name = `${scene.name}-${theme.name}`;
		const file = join(folder, `${name}.svg`);
		const same = existsSync(file) && readFileSync(file, 'utf8') === svg;
		if (values.png !== undefined) {
			mkdirSync(values.png, {recursive: true});
			for (const [at, {frame}] of shots.entries()) {
				const still = drawFrame(frame, {theme, title: scene.title});
				writeFileSync(join(values.png, `${name}-${String(at + 1).padStart(3, '0')}.png`), png(still));
			}
		}
		if (values.check) {
			if (!same) process.exitCode = 1;
		} else {
			writeFileSync(file, svg);
		}
		const kilobytes = Math.ceil(Buffer.byteLength(svg) / 1000);
		process.stdout.write(
			`${same ? '✓ as it was' : values.check ? '× differs' : '✓ written'} ${name}.svg, ${kilobytes} kB\n`,
		);
	}
}
