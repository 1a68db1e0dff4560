// The words of export and import of everything, which are loaded with the settings. Thai.
import type { EverythingKey } from './everything-en';

export const everythingTh: Record<EverythingKey, string> = {
  'everything.title': 'ข้อมูลของคุณ',
  'everything.lead': 'เกมพร้อมรายงาน โจทย์ เรตติ้ง แบบฝึกหัด และการตั้งค่าในไฟล์เดียว สำหรับเครื่องอื่นหรือเก็บสำรอง',
  'everything.export': 'ส่งออกทั้งหมด',
  'everything.import': 'นำเข้าไฟล์นั้น',
  'everything.settings': 'ใช้การตั้งค่าจากไฟล์ด้วย',
  'everything.reading': 'กำลังอ่าน: {finished} จาก {total}',
  'everything.done': 'รวมไฟล์กับข้อมูลที่มีอยู่แล้ว เกมใหม่ {added} เกม มีอยู่แล้ว {known} เกม',
  'everything.parted': 'เกมที่เดินต่อต่างกันในเครื่องนี้กับในไฟล์: {count} เก็บไว้ทั้งสองแบบ',
  'everything.broken': 'ส่วนของไฟล์ที่อ่านไม่ได้และเว้นไว้: {count}',
  'everything.show': 'แสดง',
  'everything.none': 'ไฟล์นี้ไม่ใช่ไฟล์ส่งออกทั้งหมด เกมแบบ PGN นำเข้าได้ในเกมของฉัน ส่วนโจทย์นำเข้าได้ในหน้าความก้าวหน้าของโจทย์',
  'everything.newer': 'ไฟล์นี้สร้างจากหน้าเว็บรุ่นใหม่กว่า โหลดหน้านี้ใหม่แล้วนำเข้าอีกครั้ง',
  'everything.tooLarge': 'ไฟล์ใหญ่กว่า {size} MB',
  'everything.refused': 'เบราว์เซอร์ไม่ยอมเก็บทั้งหมด ข้อมูลที่มีอยู่เดิมไม่หายไป',
};
