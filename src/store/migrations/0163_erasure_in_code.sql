-- An erasure is carried out by src/keep/erasing/, where its statements can be read and checked beside the tables.
DROP FUNCTION postroom.erase_person(text, text[], integer[], text, text);
DROP FUNCTION postroom.find_text(text);
