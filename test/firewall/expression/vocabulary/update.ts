// npm run fields -- FIELDS.json CHANGES.json 2026-10-10: writes the table of fields again, from the list of fields and
// the list of what is new or changed, as the documents had them that day.
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import type {FieldTable} from '../../../../source/firewall/expression/vocabulary/fields.ts';
import {type ListedField, rebuild, written} from './rebuild.ts';

const [fieldsPath, changesPath, date] = process.argv.slice(2);
if (!fieldsPath || !changesPath || !/^\d{4}-\d{2}-\d{2}$/.test(date ?? '')) {
	process.stderr.write('npm run fields -- FIELDS.json CHANGES.json YYYY-MM-DD\n');
	process.exit(2);
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const file = fileURLToPath(
	new URL('../../../../source/firewall/expression/vocabulary/fields.json', import.meta.url),
);
const {table, silent, dropped} = rebuild(
	read<FieldTable>(file),
	read<ListedField[]>(fieldsPath),
	read<ListedField[]>(changesPath),
	date ?? '',
);
writeFileSync(file, written(table));
process.stdout.write(`${table.fields.length} fields of ${date}.\n`);
for (const name of dropped) process.stdout.write(`dropped, in neither list: ${name}\n`);
for (const name of silent) process.stdout.write(`needs a sentence ("about"): ${name}\n`);
if (silent.length > 0) process.exitCode = 1;
